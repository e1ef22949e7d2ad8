// What Vite makes of an address at the end of an import.

declare module "*?url" {
  const url: string
  export default url
}
