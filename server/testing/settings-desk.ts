import { after } from 'node:test'
import { pino } from 'pino'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { AllSettings, SettingsSection, ShopSettings } from '#contract/shop-settings.ts'
import { readConfig } from '#server/config.ts'
import { readWebFiles } from '#server/http/web-files.ts'
import { openShopSettings } from '#server/shop-settings/shop-settings.ts'
import { openTestShop, testAdmin, testSecret, type TestShop } from './test-shop.ts'

const log = pino({ level: 'silent' })
const web = await readWebFiles()

/** A shop with its owner at the settings. */
export async function openDesk(environment: Record<string, string> = {}) {
  const shop = await openTestShop({ web, environment })
  const headers: Record<string, string> = await shop.signIn()
  const read = async (): Promise<ShopSettings> =>
    (await shop.app.inject({ url: apiRoutes.settings, headers })).json()
  const put = async (section: string, values: object, more: object = {}) => {
    const { version } = await read()
    const url = pathOf(apiRoutes.settingsSection, { section })
    const payload = { version, values, password: testAdmin.password, ...more }
    return shop.app.inject({ method: 'PUT', url, headers, payload })
  }
  /** Changes some fields of a section, as the dialog does: it sends them all. */
  const change = async <Section extends SettingsSection>(
    section: Section,
    values: Partial<AllSettings[Section]>,
    more: object = {},
  ) => put(section, { ...(await read()).values[section], ...values }, more)
  const post = async (url: string, payload: object) =>
    (await shop.app.inject({ method: 'POST', url, headers, payload })).json()
  return { ...shop, headers, read, put, change, post }
}

/** What another node makes of the same settings. */
export async function openNode({ db }: TestShop, environment: Record<string, string> = {}) {
  const node = await openShopSettings({
    db,
    secret: testSecret,
    config: readConfig(environment),
    log,
  })
  after(() => node.close())
  return node
}
