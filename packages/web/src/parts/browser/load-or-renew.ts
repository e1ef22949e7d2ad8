// Loads a part of the pages. If the server answers and the part is missing, the open page is of an older
// version than the server: the page is then reloaded, once. The draft of a question survives in the browser.

import { unreachable } from "../../api/trouble.ts"

/** What reloading needs to know about the page. */
export interface PageAccess {
  /** Whether the server answers at all. */
  readonly isReachable: () => Promise<boolean>
  /** Whether the page was reloaded for this reason just before. */
  readonly wasRenewed: () => boolean
  readonly setRenewed: (isRenewed: boolean) => void
  readonly renew: () => void
}

/** Loads a part, and reloads an old page once, if the server answers and does not have the part. */
export async function loadOrRenew<Part>(load: () => Promise<Part>, page: PageAccess): Promise<Part> {
  try {
    const part = await load()
    page.setRenewed(false)
    return part
  } catch (error) {
    if (!(await page.isReachable())) throw unreachable(error)
    if (page.wasRenewed()) throw error
    page.setRenewed(true)
    page.renew()
    // Never settles: the new page replaces this one.
    return new Promise<Part>(() => {})
  }
}
