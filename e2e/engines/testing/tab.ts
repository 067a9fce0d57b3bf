import type { BrowserShop } from '#e2e/testing/browser-shop.ts'
import type { Relay } from '#e2e/testing/relay.ts'

/**
 * A tab of a browser, as far as the stories of all browsers need it. Elements are found by what assistive technology is
 * told: a role, and the beginning of a name. Everything is waited for.
 */
export type Tab = {
  open: (address: string) => Promise<void>
  /** Reloads, also where the page asks whether leaving is meant. */
  reload: () => Promise<void>
  back: () => Promise<void>
  readPath: () => Promise<string>
  waitForPath: (beginning: string) => Promise<void>
  waitForText: (text: string) => Promise<void>
  /** All that can be seen now. */
  readText: () => Promise<string>
  waitForSelector: (selector: string) => Promise<void>
  waitFor: (role: Role, name: string) => Promise<void>
  /** Waits until there is none. */
  waitForNo: (role: Role, name: string) => Promise<void>
  click: (role: Role, name: string) => Promise<void>
  /** In the page that is shown inside this one. */
  waitInFrame: (role: Role, name: string) => Promise<void>
  clickInFrame: (role: Role, name: string) => Promise<void>
  /** Types over what is in the field. */
  fill: (label: string, text: string) => Promise<void>
  /** An option of a list that the browser draws. */
  choose: (label: string, option: string) => Promise<void>
  chooseFile: (label: string, path: string) => Promise<void>
  readValue: (label: string) => Promise<string>
  pressEscape: () => Promise<void>
  /** Another tab of the same visitor. */
  openTab: (address: string) => Promise<Tab>
}

export type Role = 'button' | 'combobox' | 'dialog' | 'heading' | 'link'

export type EngineName = 'chromium' | 'firefox' | 'webkit'

/** A browser that is running. */
export type Engine = {
  /** A visitor with no cookies and nothing stored. */
  visit: () => Promise<Tab>
  /** Pictures of what is open, with what was asked for, in a folder that is named after the test. */
  saveTraces: (test: string) => Promise<void>
  close: () => Promise<void>
}

/** What happens in a browser, told once for all of them. `network` is what leads to the shop. */
export type Story = (tab: Tab, shop: BrowserShop, network: Relay) => Promise<void>
