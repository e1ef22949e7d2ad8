// The mark: a dose meter in small.

/** The mark by itself. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0d4f52" />
      <rect x="6" y="17" width="20" height="6" rx="3" fill="none" stroke="#d9ece9" strokeWidth="1.6" />
      <rect x="6" y="17" width="10" height="6" rx="3" fill="#d9ece9" />
      <rect x="15" y="17" width="4" height="6" fill="#f0a23a" />
      <path
        d="M8 13v-3M12 13v-2M16 13V8M20 13v-2M24 13v-3"
        stroke="#d9ece9"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </svg>
  )
}
