import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { adminOrderPath, apiRoutes } from '#contract/paths.ts'
import { refusals } from '#contract/refusals.ts'
import { codeAt } from '#server/admin/second-factor.ts'
import { sessions } from '#server/db/admin-schema.ts'
import { fromBase32 } from '#server/testing/admins.ts'
import { addOrders } from '#server/testing/orders.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import {
  assertShows,
  findIssuesAtBothWidths,
  pressEscapeIn,
  stopClock,
} from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()

test('the owner signs in, is welcomed, and sees the products', async () => {
  const page = await shop.visit()
  await page.goto('/login')
  await page.getByLabel('Username').fill(testAdmin.username)
  await page.getByLabel('Password', { exact: true }).fill(testAdmin.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/products')
  await page.getByText('Login successful', { exact: true }).waitFor()
  await page.getByText('Welcome to the admin panel', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  await page.getByText('Logged in as').waitFor()
  await page.getByText(testAdmin.email).waitFor()
})

test('with a second factor the form asks for a code, and a wrong one can be corrected', async () => {
  const own = await openBrowserShop()
  const { cookie } = await own.signIn()
  const call = async (url: string, payload: object) =>
    (await own.app.inject({ method: 'POST', url, headers: { cookie }, payload })).json()
  const { secret } = await call(apiRoutes.secondFactor, { password: testAdmin.password })
  const code = codeAt(fromBase32(secret), Math.floor(Date.now() / 30_000))
  const { recoveryCodes } = await call(apiRoutes.secondFactorConfirm, { code })

  const page = await own.visit({ bypassCSP: true })
  await page.goto('/login')
  const login = page.getByRole('button', { name: 'Login', exact: true })
  const codeField = page.getByLabel('Code')
  await page.getByLabel('Username').fill(testAdmin.username)
  await page.getByLabel('Password', { exact: true }).fill(testAdmin.password)
  assert.equal(await codeField.count(), 0)
  await login.click()
  await codeField.waitFor()
  await page.getByText('From your authenticator app, or a recovery code.').waitFor()
  await assertShows(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'code')
  assert.equal(await page.getByText('Login failed').count(), 0)
  assert.equal(await page.getByText('Code is required').count(), 0)
  assert.deepEqual(await findIssuesAtBothWidths(page), [])

  await login.click()
  await page.getByText('Code is required').waitFor()
  await codeField.fill('000 000')
  await page.keyboard.press('Enter')
  await page.getByText('Login failed', { exact: true }).first().waitFor()
  await page.getByText(refusals['wrong-code'].text).first().waitFor()
  await codeField.fill(recoveryCodes[0])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/products')
  await page.getByText('Login successful', { exact: true }).waitFor()
})

test('the link of an order leads there by way of the login', async () => {
  const [order] = await addOrders(shop.db, [{}])
  const page = await shop.visit()
  await page.goto(adminOrderPath(order?.id ?? ''))
  await page.waitForURL('**/login')
  await page.getByLabel('Username').fill(testAdmin.username)
  await page.getByLabel('Password', { exact: true }).fill(testAdmin.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/orders?order=${order?.id}`)
  await page.getByRole('dialog').getByText('Lange Straße 12').waitFor()
  await pressEscapeIn(page.getByRole('dialog'))
  await page.waitForURL((url) => url.pathname === '/orders' && url.search === '')
})

test('while signing in the button says so, and a second click does nothing', async () => {
  const page = await shop.visit()
  let asked = 0
  await page.route(`**${apiRoutes.adminLogin}`, async (route) => {
    asked += 1
    await page.getByRole('button', { name: 'Logging in...' }).click({ force: true })
    await route.continue()
  })
  await page.goto('/login')
  await page.getByLabel('Username').fill(testAdmin.username)
  await page.getByLabel('Password', { exact: true }).fill(testAdmin.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/products')
  assert.equal(asked, 1)
})

test('what is missing is said at the form, what is wrong once, by the toast, and what was typed stays', async () => {
  const page = await shop.visit()
  await page.goto('/login')
  const login = page.getByRole('button', { name: 'Login', exact: true })
  await login.click()
  await page.getByText('Username is required').waitFor()
  await page.getByText('Password is required').waitFor()
  await assertShows(
    () => page.evaluate(() => document.activeElement?.getAttribute('name')),
    'username',
  )
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  await assertSaidOnce(page, 'Login failed', 'Invalid credentials')
  await page.route(`**${apiRoutes.adminLogin}`, (route) => route.abort())
  await login.click()
  await assertSaidOnce(page, 'Login error', 'Unable to connect to server')
  await assertShows(() => page.getByLabel('Username').inputValue(), 'owner')
  assert.equal(new URL(page.url()).pathname, '/login')
})

/** For a second a toast is in the page once more, for screen readers. */
async function assertSaidOnce(page: Page, ...texts: string[]) {
  for (const text of texts) {
    await page.getByText(text, { exact: true }).waitFor()
    await assertShows(() => page.getByText(text).count(), 1)
  }
}

test('a visitor who is not signed in is told so on every admin page and sent to the login', async () => {
  const texts = {
    '/': 'Please log in to access the admin panel',
    '/products': 'You are logged out. Logging in again...',
    '/orders': 'You are logged out. Logging in again...',
    '/fulfillment': 'You are logged out. Logging in again...',
    '/analytics': 'You are logged out. Logging in again...',
  }
  const page = await shop.visit()
  for (const [path, text] of Object.entries(texts)) {
    await page.goto(path)
    await page.getByText('Unauthorized', { exact: true }).waitFor()
    await page.getByText(text, { exact: true }).waitFor()
    await page.waitForURL('**/login')
    await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
    assert.equal(await page.getByText('Your shop did not answer.').count(), 0)
  }
})

test('the redirect to the login comes half a second after the toast', async () => {
  const page = await shop.visit()
  await stopClock(page)
  await page.goto('/orders')
  const toast = page.getByText('Unauthorized', { exact: true })
  while (!(await toast.isVisible())) await page.clock.runFor(1)
  await page.clock.runFor(480)
  assert.equal(new URL(page.url()).pathname, '/orders')
  await page.clock.runFor(40)
  await page.waitForURL('**/login')
})

test('logging out ends the session and leads to the login page', async () => {
  const page = await shop.visitAsAdmin()
  await page.goto('/orders')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  await page.goto('/orders')
  await page.getByText('Unauthorized', { exact: true }).waitFor()
})

for (const [what, fail] of [
  ['answers 500', (route: Route) => route.fulfill({ status: 500, body: '{"message":"broken"}' })],
  ['does not answer', (route: Route) => route.abort()],
] as const) {
  test(`a server that ${what} leaves nobody signed in: a toast, the login after half a second, and why`, async () => {
    const page = await shop.visitAsAdmin()
    await stopClock(page)
    let asked = 0
    await page.route(`**${apiRoutes.adminUser}`, (route) => {
      asked += 1
      return fail(route)
    })
    await page.goto('/products')
    const toast = page.getByText('Unauthorized', { exact: true })
    while (!(await toast.isVisible())) await page.clock.runFor(1)
    await page.getByText('You are logged out. Logging in again...', { exact: true }).waitFor()
    await page.clock.runFor(480)
    assert.equal(new URL(page.url()).pathname, '/products')
    await page.clock.runFor(40)
    await page.waitForURL('**/login')
    assert.equal(asked, 1, 'asked again by itself')
    await page.getByText('Your shop did not answer.').waitFor()

    // Still signed in: with the server back, nobody has to type a password.
    await page.unroute(`**${apiRoutes.adminUser}`)
    await page.clock.resume()
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByText('Logged in as').waitFor()
    await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  })
}

test('an expired session is noticed at the next visit', async () => {
  const page = await shop.visitAsAdmin()
  await page.goto('/products')
  await page.getByText('Logged in as').waitFor()
  await shop.db.delete(sessions)
  await page.reload()
  await page.getByText('You are logged out. Logging in again...', { exact: true }).waitFor()
})

test('who comes back after the session has ended logs in once, and sees every page', async () => {
  const page = await shop.visitAsAdmin()
  await shop.db.delete(sessions)
  await page.goto('/orders')
  await page.getByLabel('Username').fill(testAdmin.username)
  await page.getByLabel('Password', { exact: true }).fill(testAdmin.password)
  await page.keyboard.press('Enter')
  await page.getByText('Logged in as').waitFor()
  for (const name of ['Orders', 'Products']) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.equal(await page.getByText('You are logged out').count(), 0, name)
  }
})
