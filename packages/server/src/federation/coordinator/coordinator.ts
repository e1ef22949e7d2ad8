// A coordinator put together from its state and its key.

import type { Signer } from "@dosimeter/engine"
import type { StateStore } from "../../state/state-store.ts"
import { Bells } from "../mail/bells.ts"
import { readSetting, keepSetting } from "../mail/settings.ts"
import { coordinatorUrl, writeInvitation } from "../wire/invitation.ts"
import { fail } from "../../errors.ts"
import { Desk } from "./desk.ts"
import { Sites } from "./sites.ts"

/** What a coordinator is made of. */
export interface CoordinatorOptions {
  readonly store: StateStore
  readonly signer: Signer
  readonly study: string
  readonly now?: () => Date
}

const urlSetting = "coordinator-url"

/** The parts of a coordinator. */
export class Coordinator {
  readonly store: StateStore
  readonly signer: Signer
  readonly study: string
  readonly sites: Sites
  readonly bells = new Bells()
  readonly desk: Desk

  constructor(options: CoordinatorOptions) {
    const { store, signer, study, now } = options
    this.store = store
    this.signer = signer
    this.study = study
    this.sites = new Sites(store, now)
    const { sites, bells } = this
    this.desk = new Desk({ store, signer, sites, bells, study, ...(now === undefined ? {} : { now }) })
  }

  /** The invitation of a site. The address is kept: it need not be given again. */
  async invite(site: string, { url, by }: { readonly url?: string; readonly by: string }): Promise<string> {
    const known = await readSetting(this.store, urlSetting)
    const address = url === undefined ? known : coordinatorUrl(url)
    if (address === undefined) return fail("federation/no-url", {})
    if (address !== known) {
      await this.store.transaction((access) => keepSetting(access, urlSetting, address))
    }
    const code = await this.sites.invite(site, by)
    return writeInvitation({ url: address, coordinator: this.signer.publicKey, site, code })
  }

  /** Lets requests go that wait. */
  close(): void {
    this.bells.close()
  }
}
