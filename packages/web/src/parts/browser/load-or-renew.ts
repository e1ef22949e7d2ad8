// Loads a part of the pages. If the server is there and the part is not, the page is of an older version:
// then it is loaded anew, once. The draft is kept by the browser.

import { unreachable } from "../../api/trouble.ts"

/** What renewing needs to know of the page. */
export interface PageAccess {
  /** Whether the server answers at all. */
  readonly isReachable: () => Promise<boolean>
  /** Whether the page was loaded anew for this reason just before. */
  readonly wasRenewed: () => boolean
  readonly setRenewed: (isRenewed: boolean) => void
  readonly renew: () => void
}

/** Loads; a part that is missing on a server that answers means an old page, which is loaded anew, once. */
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
    // Until the new page is there.
    return new Promise<Part>(() => {})
  }
}
