import assert from 'node:assert/strict'
import { after } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import type { ShopSettings } from '#contract/shop-settings.ts'
import { startSandbox } from '#sandbox/sandbox.ts'
import { addMug } from './buyer.ts'
import { startShop } from './started-shop.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { makeTestDatabase, toDatabaseUrl } from './test-database.ts'

/** A shop whose SumUp account is changed in its settings. */

export const password = 'a long sentence is a good password'
export const accounts = {
  A: { merchantCode: 'MAAA', apiKey: 'sup_sk_of_a' },
  B: { merchantCode: 'MBBB', apiKey: 'sup_sk_of_b' },
  sandbox: { merchantCode: 'MTRY', apiKey: 'sup_sk_of_try' },
  test: { merchantCode: null, apiKey: null },
}
export type Account = keyof typeof accounts
export type Node = Awaited<ReturnType<typeof startShop>>

/** One SumUp with two accounts that take money and a sandbox, and a shop that knows none of them yet. */
export async function openChangingShop(more: Record<string, string> = {}) {
  const sumup = await startSandbox({
    apiKey: accounts.A.apiKey,
    merchant: { code: accounts.A.merchantCode, sandbox: false },
  })
  after(() => sumup.close())
  const { A: _first, test: _none, ...others } = accounts
  for (const { apiKey, merchantCode } of Object.values(others))
    sumup.controls.addAccount({
      apiKey,
      merchant: { code: merchantCode, sandbox: merchantCode === 'MTRY' },
    })
  const environment = {
    DATABASE_URL: toDatabaseUrl(await makeTestDatabase()),
    SESSION_SECRET: 'a secret that all nodes of one shop know',
    ADMIN_PASSWORD: password,
    DATA_DIR: temporaryFolder(),
    SUMUP_API_URL: sumup.url,
    ...more,
  }
  const startNode = () => startShop(environment)
  const node = await startNode()
  return { ...node, node, sumup, startNode, mug: await addMug(node) }
}
export type ChangingShop = Awaited<ReturnType<typeof openChangingShop>>

export async function readSettings({ app, signIn }: Node): Promise<ShopSettings> {
  return (await app.inject({ url: apiRoutes.settings, headers: await signIn() })).json()
}

export async function saveAccount(node: Node, values: object, more: object = {}) {
  const { version } = await readSettings(node)
  return node.app.inject({
    method: 'PUT',
    url: pathOf(apiRoutes.settingsSection, { section: 'sumup' }),
    headers: await node.signIn(),
    payload: { version, values, password, ...more },
  })
}

export async function connect({ node }: { node: Node }, account: Account): Promise<void> {
  const saved = await saveAccount(node, accounts[account])
  assert.equal(saved.statusCode, 200, saved.body)
}

/** The order is there: new, or because the shop's own sweep was first. */
export function assertOrdered({ statusCode, body }: { statusCode: number; body: string }): void {
  assert.ok(statusCode === 201 || statusCode === 200, body)
}
