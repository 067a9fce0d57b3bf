import type { Page } from 'playwright-core'
import type { BrowserShop } from '#e2e/testing/browser-shop.ts'
import { patienceMs } from '#server/testing/wait-for.ts'
import type { Engine, Role, Tab } from './tab.ts'

/** The Chromium of the other browser specs, whose pages leave their traces by themselves. */
export function createPlaywrightEngine(shop: BrowserShop, baseURL: string): Engine {
  return {
    visit: async () => createTab(await shop.visit({ baseURL })),
    saveTraces: async () => {},
    close: async () => {},
  }
}

function createTab(page: Page): Tab {
  page.setDefaultTimeout(patienceMs)
  page.on('dialog', (dialog) => void dialog.accept())
  const byRole = (role: Role, name: string) =>
    page.getByRole(role, { name: beginsWith(name) }).first()
  const inFrame = (role: Role, name: string) =>
    page
      .frameLocator('iframe')
      .last()
      .getByRole(role, { name: beginsWith(name) })
  const byLabel = (label: string) =>
    page.getByLabel(beginsWith(label)).filter({ visible: true }).first()

  return {
    open: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    readPath: async () => new URL(page.url()).pathname,
    waitForPath: (beginning) => page.waitForURL(({ pathname }) => pathname.startsWith(beginning)),
    async waitForText(text) {
      await page.waitForFunction(
        (wanted) => document.body.innerText.replaceAll(/\s+/g, ' ').includes(wanted),
        text,
      )
    },
    readText: () => page.evaluate(() => document.body.innerText.replaceAll(/\s+/g, ' ')),
    waitForSelector: (selector) => page.locator(selector).first().waitFor(),
    waitFor: (role, name) => byRole(role, name).waitFor(),
    waitForNo: (role, name) => byRole(role, name).waitFor({ state: 'detached' }),
    click: (role, name) => byRole(role, name).click(),
    waitInFrame: (role, name) => inFrame(role, name).waitFor(),
    clickInFrame: (role, name) => inFrame(role, name).click(),
    fill: (label, text) => byLabel(label).fill(text),
    choose: async (label, option) => void (await byLabel(label).selectOption({ label: option })),
    chooseFile: (label, path) => page.getByLabel(beginsWith(label)).first().setInputFiles(path),
    readValue: (label) => byLabel(label).inputValue(),
    pressEscape: () => page.keyboard.press('Escape'),
    async openTab(address) {
      const other = await page.context().newPage()
      await other.goto(address)
      return createTab(other)
    },
  }
}

const beginsWith = (name: string) => new RegExp(`^\\s*${RegExp.escape(name)}`)
