import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
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
  const notice = page.getByText(`failed: ${error} It is tried again every hour.`)
  await notice.waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await recordBackup(shop.db, { file, bytes: 1 })
  await page.reload()
  await page.getByRole('region', { name: 'About this shop' }).getByText('Test mode').waitFor()
  assert.equal(await notice.count(), 0)
})
