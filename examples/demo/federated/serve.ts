// The end of the demo: left open until somebody stops it.

/** Waits until Ctrl-C. */
export async function serveStudy(_study: { readonly url: string }): Promise<void> {
  console.log("\nCtrl-C stops it.")
  await new Promise<void>((resolve) => process.once("SIGINT", () => resolve()))
}
