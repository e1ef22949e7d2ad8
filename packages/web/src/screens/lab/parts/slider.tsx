// A slider over listed values: it speaks the value, not its place.

interface SliderProps {
  readonly label: string
  readonly values: readonly number[]
  readonly value: number
  readonly onChange: (value: number) => void
  /** The value in words, with its unit. */
  readonly show?: (value: number) => string
  readonly help?: string
}

/** A slider. */
export function Slider({ label, values, value, onChange, show = (one) => `${one}`, help }: SliderProps) {
  return (
    <label className="field">
      <span className="label">
        {label}: <b className="figure">{show(value)}</b>
      </span>
      <input
        type="range"
        min={0}
        max={values.length - 1}
        value={values.indexOf(value)}
        aria-valuetext={show(value)}
        onChange={({ target }) => onChange(values[Number(target.value)] ?? value)}
      />
      {help === undefined ? null : <span className="small soft">{help}</span>}
    </label>
  )
}
