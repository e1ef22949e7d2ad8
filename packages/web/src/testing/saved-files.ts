// The files that a screen hands to the browser, and what it puts on the clipboard.

import { vi } from "vitest"

/** A file as it was saved. */
export interface SavedFile {
  readonly name: string
  readonly text: string
  readonly type: string
}

/** Takes files in place of the browser from now on, until the end of the test. */
export function watchSavedFiles(): () => Promise<readonly SavedFile[]> {
  const blobs: Blob[] = []
  const saved: (readonly [string, Blob | undefined])[] = []
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.push(blob)
    return "blob:test"
  })
  vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {})
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.download, blobs.at(-1)])
  })
  return async () =>
    Promise.all(
      saved.map(async ([name, blob]) => ({ name, text: (await blob?.text()) ?? "", type: blob?.type ?? "" })),
    )
}

/** Takes what is put on the clipboard from now on, until the end of the test. */
export function watchClipboard(): readonly string[] {
  const copied: string[] = []
  vi.stubGlobal("isSecureContext", true)
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => {
    copied.push(text)
  })
  return copied
}
