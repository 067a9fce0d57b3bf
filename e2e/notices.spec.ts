import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiRoutes } from '#contract/paths.ts'
import { type BrowserShop, openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { listedRows, repeatOrder, replaceOrders } from '#e2e/testing/order-pages.ts'
import { findIssuesAtBothWidths, watchLayoutShifts } from '#e2e/testing/page-checks.ts'
import { recordBackup } from '#server/backup/scheduled-backups.ts'
import { eq, sql } from '#server/db/drizzle.ts'
import { markRestored } from '#server/db/restored.ts'
import { products } from '#server/db/schema.ts'
import { createSession } from '#server/admin/sessions.ts'
import { credentials, users, watchedScripts } from '#server/db/admin-schema.ts'
import { addMug } from '#server/testing/buyer.ts'
import { testAdmin, testBrowser } from '#server/testing/test-shop.ts'

const shop = await openBrowserShop({ environment: { BACKUP_DIR: './backups' } })

const ownersPage = await shop.visitAsAdmin({ bypassCSP: true })

/** Another admin, in a browser of their own. */
async function visitAs({ db, visit, address }: BrowserShop, username: string): Promise<Page> {
  const [user] = await db
    .insert(users)
    .values({ email: `${username}@example.com` })
    .returning()
  const userId = user?.id ?? ''
  await db.insert(credentials).values({ userId, username, passwordHash: 'none' })
  const page = await visit()
  const value = await createSession(db, userId, testBrowser)
  await page.context().addCookies([{ name: 'till_session', value, url: address }])
  return page
}

/** The page shows it at once; what is read next has it only when the server knows. */
async function hide(page: Page): Promise<void> {
  const known = page.waitForResponse(`**${apiRoutes.noticesFold}`)
  const region = page.getByRole('region', { name: 'About this shop' })
  await region.getByRole('button', { name: 'Hide' }).click()
  await known
}

test('a failed backup is shown until one is written, a changed card form until the owner says that they know', async () => {
  const file = 'till-2026-11-16T03-00-00.backup'
  const error = '/mnt/backups/till could not be written: the disk is full.'
  await recordBackup(shop.db, { file, error })
  const page = ownersPage
  await page.goto('/products')
  const failure = page.getByText(`failed. ${error} It is tried again every hour.`)
  await failure.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'a failed backup')
  await recordBackup(shop.db, { file, bytes: 1 })

  const url = shop.shop.payments.sdkUrl
  const changedAt = new Date('2026-11-14T12:00:00Z')
  await shop.db.insert(watchedScripts).values({ url, hash: '0'.repeat(64), changedAt })
  await page.reload()
  const notice = page.getByText('The script of SumUp’s card form changed on 2026-11-14.')
  await notice.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'a changed card form')
  await page.getByRole('button', { name: 'Got it' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('region', { name: 'About this shop' }).getByText('Test mode').waitFor()
  assert.equal(await notice.count(), 0)
  assert.equal(await failure.count(), 0)
})

test('after a restore the owner lets counted products be sold, and then says that they have looked', async () => {
  const page = ownersPage
  const { pool } = shop.shop
  await pool.query(markRestored.text, markRestored.values('2026-11-16T03:00:00.000Z'))
  const mug = eq(products.id, await addMug(shop))
  await shop.db.update(products).set({ stock: 3, testStock: 3 }).where(mug)
  await page.goto('/products')
  const notice = page.getByText('This shop was restored from the backup of 2026-11-16')
  await notice.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [], 'a restored shop')
  await page.getByRole('button', { name: 'Sell counted products now' }).click()
  await page.getByRole('button', { name: 'I have looked' }).click()
  await notice.waitFor({ state: 'detached' })
  await shop.db
    .update(products)
    .set({ deletedAt: sql`now()` })
    .where(mug)
})

test('notices are one line that opens, and each person hides them for themselves', async () => {
  const page = ownersPage
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/products')
  const region = page.getByRole('region', { name: 'About this shop' })
  await region.getByText('Test mode: no money is taken. Mails are not sent.').waitFor()
  assert.equal(await region.getByText('connect your SumUp account').count(), 0)
  await region.getByRole('button', { name: 'Read more' }).click()
  await region.getByText('connect your SumUp account').waitFor()
  assert.doesNotMatch(await region.innerText(), /[A-Z]_[A-Z]/, 'no names of variables')
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await region.getByText('connect your SumUp account').waitFor()
  await region.getByRole('button', { name: 'Hide' }).click()
  await region.getByText('connect your SumUp account').waitFor({ state: 'detached' })
  await page.reload()
  await region.getByRole('button', { name: 'Read more' }).waitFor()
  assert.equal(await region.getByText('connect your SumUp account').count(), 0)
})

test('a live shop without name and contact tells its owner loudly, and leaves room for four orders', async () => {
  const live = await openBrowserShop({ isLive: true })
  live.shop.payments.sandboxUrl = undefined
  await replaceOrders(live, ...repeatOrder(8))
  const page = await live.visitAsAdmin({ bypassCSP: true })
  await page.goto('/orders')
  const region = page.getByRole('region', { name: 'About this shop' })
  const title = 'Your shop takes money without a name and a contact address.'
  await region.getByText('call their bank instead').waitFor()
  const countRows = () =>
    listedRows(page).evaluateAll(
      (rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
    )
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await listedRows(page).nth(3).waitFor()
  assert.ok((await countRows()) >= 4, `${await countRows()} rows`)
  await hide(page)
  await region.getByText('call their bank instead').waitFor({ state: 'detached' })
  await region.getByText(title).waitFor()
  // Known before the first paint, in any browser of this person.
  const elsewhere = await live.visitAsAdmin()
  const readShifts = await watchLayoutShifts(elsewhere)
  for (const browser of [page, elsewhere]) {
    await browser.goto('/orders')
    const bar = browser.getByRole('region', { name: 'About this shop' })
    await bar.getByText(title).waitFor()
    assert.equal(await bar.getByText('call their bank instead').count(), 0)
  }
  await listedRows(elsewhere).nth(3).waitFor()
  assert.ok((await readShifts()) < 0.01)
  const mia = await visitAs(live, 'mia')
  await mia.goto('/orders')
  await mia.getByText('call their bank instead').waitFor()

  live.shop.config.shop.name = 'Harbour Goods'
  live.shop.config.shop.email = 'hello@example.com'
  await page.reload()
  await region.getByText('Payment pages should have a domain of their own.').waitFor()
  assert.equal(await region.getByText(title).count(), 0)
})

test('hiding an urgent notice opens the next one, which nobody has read yet', async () => {
  const live = await openBrowserShop({ isLive: true })
  live.shop.payments.sandboxUrl = undefined
  await live.db.update(credentials).set({ isWeak: true })
  const page = await live.visitAsAdmin()
  await page.goto('/products')
  const region = page.getByRole('region', { name: 'About this shop' })
  await region.getByText('call their bank instead').waitFor()
  await hide(page)
  await region.getByText('whoever guesses it sees every order').waitFor()
  await region.getByText('call their bank instead').waitFor({ state: 'detached' })
  await hide(page)
  await region.getByRole('button', { name: 'Read more' }).waitFor()
  await page.reload()
  await region.getByRole('button', { name: 'Read more' }).waitFor()
})

test('who has a password that is easy to guess is led to where it is changed', async () => {
  const weak = await openBrowserShop()
  await weak.db.update(credentials).set({ isWeak: true })
  const page = await weak.visitAsAdmin({ bypassCSP: true })
  await page.goto('/orders?status=pending')
  const region = page.getByRole('region', { name: 'About this shop' })
  await region.getByRole('button', { name: 'Read more' }).click()
  await region.getByText('Your password is easy to guess.').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await region
    .getByRole('link', { name: 'Change password: Your password is easy to guess.' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Account' })
  await dialog.getByLabel('Current password').waitFor()
  await dialog.getByLabel('Current password').fill(testAdmin.password)
  await dialog.getByLabel('New password').fill('plum anvil seldom harbour')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL((url) => url.search === '?status=pending')
  await region.getByText('Your password is easy to guess.').waitFor({ state: 'detached' })
})
