// A picture of a hundred people: those that a guess counts before an answer, those that an answer can add at
// most, and the rest.

interface PeoplePictureProps {
  /** Of a hundred, before the answer. */
  readonly before: number
  /** Of a hundred, after the answer, at most. */
  readonly after: number
  readonly label: string
}

const across = 20

/** The picture. Filled, hatched and empty can be told apart without colours. */
export function PeoplePicture({ before, after, label }: PeoplePictureProps) {
  return (
    <svg className="people" viewBox="0 0 400 130" role="img" aria-label={label}>
      <defs>
        <pattern
          id="people-more"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="4" height="4" fill="var(--dose-soft)" />
          <rect width="2" height="4" fill="var(--dose-now)" />
        </pattern>
      </defs>
      {Array.from({ length: 100 }, (_, index) => {
        const state = index < before ? "before" : index < after ? "after" : "rest"
        const x = (index % across) * 20 + 10
        const y = Math.floor(index / across) * 26 + 4
        return (
          <g key={index} transform={`translate(${x} ${y})`} className={`person-${state}`}>
            <circle cx="0" cy="4" r="3.6" />
            <path d="M -5 20 V 13 A 5 5 0 0 1 5 13 V 20 Z" />
          </g>
        )
      })}
    </svg>
  )
}
