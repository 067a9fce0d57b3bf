import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiRoutes, pathOf } from '#contract/paths.ts'
import { refusals } from '#contract/refusals.ts'
import { codeAt } from '#server/admin/second-factor.ts'
import { createSession } from '#server/admin/sessions.ts'
import { auditLog, sessions, users } from '#server/db/admin-schema.ts'
import { fromBase32 } from '#server/testing/admins.ts'
import { addOrders } from '#server/testing/orders.ts'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { logIn, openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  assertShows,
  findIssuesAtBothWidths,
  pressEscapeIn,
  watchLayoutShifts,
} from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const newPassword = 'plum anvil seldom harbour'

test('the owner changes the password in a dialog that Back and Escape close', async () => {
  const own = await openBrowserShop()
  const page = await own.visitAsAdmin({ bypassCSP: true })
  const readShifts = await watchLayoutShifts(page)
  await page.goto('/orders?q=mug')
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Account' }).click()
  await page.waitForURL('**/orders?q=mug&settings=account')
  const dialog = page.getByRole('dialog', { name: 'Account' })
  await dialog.waitFor()
  assert.ok((await readShifts()) < 0.01, 'the page stays behind the dialog')
  const save = dialog.getByRole('button', { name: 'Change password' })
  await save.click()
  await dialog.getByText('Current password is required').waitFor()
  await dialog.getByText('New password is required').waitFor()
  await dialog.getByLabel('Current password').fill('not this one')
  await dialog.getByLabel('New password').fill(newPassword)
  await save.click()
  await dialog.getByText(refusals['wrong-password'].text).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByLabel('Current password').fill(testAdmin.password)
  await dialog.getByLabel('New password').fill('password12')
  await save.click()
  await dialog.getByText(refusals['password-common'].text).waitFor()
  await dialog.getByLabel('New password').fill(newPassword)
  await save.click()
  await page.getByText('Password changed', { exact: true }).waitFor()
  await assertShows(() => dialog.getByLabel('New password').inputValue(), '')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.waitForURL((url) => url.search === '?q=mug')
  await page.goForward()
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Account' }).click()
  await pressEscapeIn(dialog)
  await dialog.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).search, '?q=mug')

  const other = await own.visit()
  await other.goto('/login')
  await logIn(other, { username: testAdmin.username, password: newPassword })
  await other.waitForURL('**/products')
})

test('the owner changes the e-mail address, also while the session cannot be read again, and test mails go there', async () => {
  const own = await openBrowserShop()
  const page = await own.visitAsAdmin()
  await page.goto('/products?settings=account')
  const dialog = page.getByRole('dialog', { name: 'Account' })
  await dialog.getByText(testAdmin.email).waitFor()
  const change = dialog.getByRole('button', { name: 'Change email address' })
  await dialog.getByLabel('New email address').fill('anna@mugs.example')
  await dialog.getByLabel('Your password').fill('not this one')
  await change.click()
  await dialog.getByText(refusals['wrong-password'].text).waitFor()
  await page.route(`**${apiRoutes.adminUser}`, (route) => route.fulfill({ status: 503 }))
  const failed = page.waitForResponse(`**${apiRoutes.adminUser}`)
  await dialog.getByLabel('Your password').fill(testAdmin.password)
  await change.click()
  await page.getByText('Email address changed', { exact: true }).waitFor()
  await failed
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add Product' }).click()
  await page.getByLabel('Product Name').fill('Mug')
  assert.equal(new URL(page.url()).pathname, '/products')
  await page.unroute(`**${apiRoutes.adminUser}`)

  await page.goto('/products?settings=account')
  await dialog.getByText('anna@mugs.example', { exact: true }).waitFor()
  await dialog.getByLabel('New email address').fill('anna@cups.example')
  await dialog.getByLabel('Your password').fill(testAdmin.password)
  await change.click()
  await dialog.getByText('anna@cups.example', { exact: true }).waitFor()
  await page.goto('/products?settings=mail')
  await page.getByRole('button', { name: 'Send a test mail to anna@cups.example' }).waitFor()
})

test('the second factor is turned on with a QR code, and its recovery codes are not lost by a slip', async () => {
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  await page.goto('/products?settings=security')
  const dialog = page.getByRole('dialog', { name: 'Account' })
  await dialog.getByLabel('Your password').fill(testAdmin.password)
  await dialog.getByRole('button', { name: 'Set up second factor' }).click()
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByLabel('Code').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText(refusals['wrong-second-factor'].text).waitFor()
  const key = fromBase32(secret.replaceAll(' ', ''))
  await dialog.getByLabel('Code').fill(codeAt(key, Math.floor(Date.now() / 30_000)))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.first().waitFor()
  const shown = await codes.allTextContents()
  assert.equal(shown.length, 10)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])

  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const path = join(temporaryFolder(), 'codes.txt')
  await (await download).saveAs(path)
  const file = await readFile(path, 'utf8')
  assert.deepEqual(file.trim().split('\n'), shown)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show them' }).click()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await dialog.getByText('10 recovery codes are left.').waitFor()
  await assertShows(() => codes.count(), 0)

  await dialog.getByText('Turn it off').click()
  await dialog.getByLabel('Your password').fill(testAdmin.password)
  await dialog.getByLabel('Code').fill(shown[0] ?? '')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByRole('button', { name: 'Set up second factor' }).waitFor()
})

test('the owner sees where they are signed in and signs another browser out', async () => {
  await shop.db.delete(sessions)
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  const [user] = await shop.db.select().from(users)
  const id = user?.id ?? ''
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  await createSession(shop.db, id, { address: '203.0.113.9', userAgent })
  await createSession(shop.db, id, { address: '203.0.113.9', userAgent })
  await page.goto('/analytics?settings=security')
  const entries = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Last used' })
  await page.getByText('This browser').waitFor()
  await assertShows(() => entries.count(), 3)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await page.getByRole('button', { name: 'Log out Firefox on Linux' }).first().click()
  await entries.nth(2).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Log out everywhere else' }).click()
  await entries.nth(1).waitFor({ state: 'detached' })
  await page.getByText('This browser').waitFor()
})

test('a person is invited by link, joins, is disabled and removed, and the log says so in sentences', async () => {
  const own = await openBrowserShop()
  const owner = await own.visitAsAdmin({ bypassCSP: true })
  await owner.goto('/products?settings=people')
  const dialog = owner.getByRole('dialog', { name: 'Account' })
  await dialog.getByLabel('Their email address').fill('mia@example.com')
  await dialog.getByLabel('Your password').fill(testAdmin.password)
  // The log below has one entry: the second click is none.
  await dialog.getByRole('button', { name: 'Make an invitation link' }).dblclick()
  const link = dialog.locator('code').filter({ hasText: '/login#invite=' })
  const href = (await link.textContent()) ?? ''
  await dialog.getByText('It works on this computer only').waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(owner), [])
  await owner.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog
    .getByRole('list', { name: 'Open invitations' })
    .getByText('mia@example.com')
    .waitFor()
  await assertShows(() => link.count(), 0, 'the link is shown once')

  const mia = await own.visit({ bypassCSP: true })
  await mia.goto(href)
  await mia.getByRole('heading', { name: 'Join the shop' }).waitFor()
  await mia.waitForURL((url) => url.hash === '')
  assert.deepEqual(await findIssuesAtBothWidths(mia), [])
  await mia.getByLabel('Username').fill('mia')
  await mia.getByLabel('Password', { exact: true }).fill('mia')
  await mia.getByRole('button', { name: 'Join' }).click()
  await mia.getByText(refusals['password-short'].text).waitFor()
  await mia.getByLabel('Password', { exact: true }).fill(newPassword)
  await mia.getByRole('button', { name: 'Join' }).click()
  await mia.getByRole('heading', { name: 'Admin login' }).waitFor()
  await assertShows(() => mia.getByLabel('Username').inputValue(), 'mia')
  await logIn(mia, { username: 'mia', password: newPassword })
  await mia.waitForURL('**/products')

  await owner.reload()
  await dialog.getByRole('button', { name: 'Disable mia' }).click()
  const question = owner.getByRole('dialog', { name: 'Disable mia?' })
  await question.getByLabel('Your password').fill(testAdmin.password)
  assert.deepEqual(await findIssuesAtBothWidths(owner), [])
  await owner.setViewportSize({ width: 1280, height: 800 })
  await question.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByText('Disabled', { exact: true }).waitFor()
  await mia.reload()
  await mia.waitForURL('**/login')
  await logIn(mia, { username: 'mia', password: newPassword })
  await mia.getByText(refusals['account-disabled'].text).first().waitFor()
  await dialog.getByRole('button', { name: 'Remove mia' }).click()
  const removal = owner.getByRole('dialog', { name: 'Remove mia?' })
  await removal.getByLabel('Your password').fill(testAdmin.password)
  await removal.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Remove mia' }).waitFor({ state: 'detached' })

  await dialog.getByRole('link', { name: 'Log' }).click()
  const log = dialog.getByRole('list', { name: 'Log' })
  await log.getByRole('listitem').filter({ hasText: 'owner removed mia' }).waitFor()
  const entries = await log.getByRole('listitem').allTextContents()
  for (const sentence of [
    'owner invited mia@example.com',
    'Somebody added mia as an admin',
    'mia logged in',
    'owner disabled mia',
    'Somebody failed to log in as mia: the account is disabled',
  ]) {
    assert.ok(
      entries.some((entry) => entry.startsWith(sentence)),
      `${sentence}: ${entries.join(' | ')}`,
    )
  }
  await dialog.getByLabel('What').selectOption('admin-invited')
  await log.getByText('owner removed mia').waitFor({ state: 'detached' })
  await log.getByText('invited mia@example.com').waitFor()
  await assertShows(() => log.getByRole('listitem').count(), 1)
})

test('the log is read page by page; a bulk change is one line of it, and its orders open behind it', async () => {
  const headers = await shop.signIn()
  const added = await addOrders(shop.db, [{}, {}])
  const payload = { status: 'shipped', bulkId: randomUUID() }
  for (const { id } of added) {
    const url = pathOf(apiRoutes.orderStatus, { id })
    await shop.app.inject({ method: 'PATCH', url, headers, payload })
  }
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  await page.goto('/orders?settings=log')
  const line = page.getByRole('listitem').filter({ hasText: 'owner set 2 orders to shipped' })
  await line.waitFor()
  assert.equal(await page.getByText('owner set the order').count(), 0)
  await line.getByRole('button', { name: 'Show orders' }).click()
  const behind = line.getByRole('list', { name: 'Orders of this change' }).getByRole('listitem')
  await behind.nth(1).waitFor()
  for (const { id } of added)
    await behind.filter({ hasText: `${id.slice(0, 8)}… from pending to shipped` }).waitFor()
  assert.deepEqual(await findIssuesAtBothWidths(page), [])
  await line.getByRole('button', { name: 'Hide orders' }).click()
  await behind.first().waitFor({ state: 'detached' })

  await shop.db.delete(auditLog)
  for (let number = 0; number < 70; number += 1)
    await shop.app.inject({ url: apiRoutes.orderExport, headers })
  await page.reload()
  const entries = page.getByRole('list', { name: 'Log' }).getByRole('listitem')
  await entries.nth(29).waitFor()
  await assertShows(() => entries.count(), 30)
  const more = page.getByRole('button', { name: 'Show earlier entries' })
  await more.click()
  await entries.nth(59).waitFor()
  await more.click()
  await entries.nth(69).waitFor()
  await more.waitFor({ state: 'detached' })
  await assertShows(() => entries.count(), 70)
})

test('a link that was used or withdrawn says so', async () => {
  const page = await shop.visit()
  await page.goto('/login#invite=unknown')
  await page.getByText(refusals['invite-missing'].text).waitFor()
  await page.getByRole('button', { name: 'Login' }).waitFor()
  await assertShows(() => page.getByRole('button', { name: 'Join' }).count(), 0)
})

test('on a phone the account is opened from the menu', async () => {
  const page = await shop.visitAsAdmin({ viewport: { width: 375, height: 740 }, hasTouch: true })
  await page.goto('/orders')
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByRole('link', { name: 'Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Account' })
  await dialog.getByLabel('Current password').waitFor()
  await menu.waitFor({ state: 'detached' })
  await dialog.getByRole('link', { name: 'People' }).click()
  await dialog.getByLabel('Their email address').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL((url) => url.pathname === '/orders' && url.search === '')
})
