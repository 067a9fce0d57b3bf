import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { listedRows, repeatOrder, replaceOrders } from '#e2e/testing/order-pages.ts'
import { findIssuesAtBothWidths } from '#e2e/testing/page-checks.ts'
import { recordBackup } from '#server/backup/scheduled-backups.ts'
import { watchedScripts } from '#server/db/admin-schema.ts'

const shop = await openBrowserShop({ environment: { BACKUP_DIR: './backups' } })

test('a changed card form is shown until the owner says that they know', async () => {
  const url = shop.shop.payments.sdkUrl
  const changedAt = new Date('2026-11-14T12:00:00Z')
  await shop.db.insert(watchedScripts).values({ url, hash: '0'.repeat(64), changedAt })
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  await page.goto('/products')
  const notice = page.getByText('The script of SumUp’s card form changed on 2026-11-14.')
  await notice.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.getByRole('button', { name: 'Got it' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('region', { name: 'About this shop' }).getByText('Test mode').waitFor()
  assert.equal(await notice.count(), 0)
})

test('a failed backup is shown until one is written', async () => {
  const file = 'till-2026-11-16T03-00-00.backup'
  const error = '/mnt/backups/till could not be written: the disk is full.'
  await recordBackup(shop.db, { file, error })
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  await page.goto('/products')
  const notice = page.getByText(`failed. ${error} It is tried again every hour.`)
  await notice.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await recordBackup(shop.db, { file, bytes: 1 })
  await page.reload()
  await page.getByRole('region', { name: 'About this shop' }).getByText('Test mode').waitFor()
  assert.equal(await notice.count(), 0)
})

test('notices are one line that opens, and each person folds them away', async () => {
  const page = await shop.visitAsAdmin()
  await page.goto('/products')
  const region = page.getByRole('region', { name: 'About this shop' })
  await region.getByText('Test mode: no money is taken. Mails are not sent.').waitFor()
  assert.equal(await region.getByText('connect your SumUp account').count(), 0)
  await region.getByRole('button', { name: 'Read more' }).click()
  await region.getByText('connect your SumUp account').waitFor()
  const smallPrint = region.locator('small').filter({ hasText: 'SUMUP_API_KEY' })
  assert.equal(await smallPrint.count(), 1)
  await page.reload()
  await region.getByText('connect your SumUp account').waitFor()
  await region.getByRole('button', { name: 'Fold away' }).click()
  assert.equal(await region.getByText('connect your SumUp account').count(), 0)
  await page.reload()
  await region.getByRole('button', { name: 'Read more' }).waitFor()
  assert.equal(await region.getByText('connect your SumUp account').count(), 0)
})

test('a live shop without name and contact tells its owner loudly, and leaves room for four orders', async () => {
  const live = await openBrowserShop({ isLive: true })
  live.shop.payments.standInUrl = undefined
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
  await region.getByRole('button', { name: 'Fold away' }).click()
  await region.getByText('call their bank instead').waitFor({ state: 'detached' })
  await region.getByText(title).waitFor()
  await page.reload()
  await region.getByText(title).waitFor()
  assert.equal(await region.getByText('call their bank instead').count(), 0)

  live.shop.config.shop.name = 'Harbour Goods'
  live.shop.config.shop.email = 'hello@example.com'
  await page.reload()
  await region.getByText('Payment pages should have a domain of their own.').waitFor()
  assert.equal(await region.getByText(title).count(), 0)
})
