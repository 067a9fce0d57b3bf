import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { pino } from 'pino'
import sharp from 'sharp'
import { checkoutPath } from '#contract/paths.ts'
import { settingsSections, type SettingsSection } from '#contract/shop-settings.ts'
import { credentials } from '#server/db/admin-schema.ts'
import { checkouts, objects } from '#server/db/schema.ts'
import { startMailing } from '#server/mail/mailing.ts'
import { addMug } from '#server/testing/buyer.ts'
import { openMailServer } from '#server/testing/mail-server.ts'
import { testAdmin } from '#server/testing/test-shop.ts'
import { deleteUnusedPictures } from '#server/uploads/unused-pictures.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { openCheckoutPage, pay, toast } from '#e2e/testing/checkout-page.ts'
import { assertShows, findIssuesAtBothWidths, watchLayoutShifts } from '#e2e/testing/page-checks.ts'
import { waitFor } from '#server/testing/wait-for.ts'

const shop = await openBrowserShop({ environment: { KEEP_MAIL_DAYS: '14' } })
const mug = await addMug(shop)

const ownersPage = await shop.visitAsAdmin({ bypassCSP: true })

/** Of a page that several stories share; those with a shop of their own have one of their own. */
async function openSection(section: SettingsSection, page = ownersPage) {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/products?settings=${section}`)
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  await dialog.getByRole('button', { name: 'Save' }).waitFor()
  return { page, dialog }
}

/** Saves and waits until the page shows the server's answer. */
async function save(page: Page, dialog: Locator, name = 'Save'): Promise<number> {
  const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
  await dialog.getByRole('button', { name, exact: true }).click()
  const status = (await answer).status()
  await dialog.getByText('Saving...').waitFor({ state: 'detached' })
  return status
}

/** Nothing lies over its middle, and nobody needs to scroll. */
function isInSight(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    return top !== null && (element.contains(top) || top.contains(element))
  })
}

const day = 24 * 60 * 60 * 1000

const typePassword = (dialog: Locator) =>
  dialog.getByLabel('Your password').fill(testAdmin.password)

test('the owner names the shop, writes a policy and sets VAT, and buyers see it at once', async () => {
  const server = await openMailServer()
  const mailing = startMailing({
    ...shop.shop,
    log: pino({ level: 'silent' }),
    localOrigin: shop.address,
  })
  after(() => mailing.stop())
  const page = await shop.visitAsAdmin()
  await page.goto('/products')
  await page.getByRole('link', { name: 'Settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  await dialog.getByLabel('Shop name').fill('The Mug Shop')
  assert.equal(new URL(page.url()).search, '?settings=shop')
  await dialog.getByLabel('Contact email').fill('nobody')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This is not an email address.').waitFor()
  await dialog.getByLabel('Contact email').fill('hello@mugs.example')
  await dialog.getByLabel('Postal address').fill('Harbour Road 1\n20457 Hamburg')
  await dialog.getByLabel('Imprint').fill('Owner: Anna Muster')
  await dialog.getByLabel('Time zone').fill('Mars/Olympus')
  await dialog.getByLabel('Imprint').focus()
  await dialog.getByText('Please enter a time zone such as Europe/Berlin.').waitFor()
  await dialog.getByLabel('Time zone').fill('Europe/Berlin')
  await typePassword(dialog)
  assert.equal(await save(page, dialog), 200)
  await toast(page, 'Settings saved').waitFor()

  await dialog.getByRole('link', { name: 'Policies' }).click()
  await dialog.getByRole('button', { name: /^Start with our draft.*Refund policy/ }).click()
  await assertShows(() => dialog.getByLabel('Refund policy').inputValue(), /hello@mugs\.example/)
  await dialog.getByLabel('Terms of service').fill('https://example.com/terms')
  await dialog.getByRole('link', { name: 'VAT' }).click()
  await page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(await save(page, dialog), 200)
  await dialog.getByRole('link', { name: 'VAT' }).click()
  await dialog.getByLabel('VAT rate in percent').fill('19')
  assert.equal(await save(page, dialog), 200)

  await dialog.getByRole('link', { name: 'Mail' }).click()
  const { hostname, port } = new URL(server.url)
  await dialog.getByLabel('Mail server').fill(hostname)
  await dialog.getByLabel('Port').fill(port)
  await dialog.getByLabel('Encryption').selectOption('none')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Please enter your password.').waitFor()
  await dialog.getByLabel('Your password').fill('not my password')
  assert.equal(await save(page, dialog), 403)
  await dialog.getByText('This is not your password.').waitFor()
  assert.equal(await page.getByText(/Nothing was saved|current password is not right/).count(), 0)
  await typePassword(dialog)
  assert.equal(await save(page, dialog), 200)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).search, '')

  const buyer = await openCheckoutPage(shop, mug)
  await buyer.getByRole('link', { name: 'Refund policy' }).click()
  await buyer.getByText('within 14 days after the goods have arrived').waitFor()
  await buyer.getByText(/Send the goods back to The Mug Shop/).waitFor()
  await buyer.keyboard.press('Escape')
  await buyer.getByRole('link', { name: 'Imprint' }).click()
  await buyer.getByText('20457 Hamburg').waitFor()
  await buyer.getByText('Owner: Anna Muster').waitFor()
  await buyer.keyboard.press('Escape')
  const terms = buyer.getByRole('link', { name: 'Terms of service' })
  await assertShows(() => terms.getAttribute('href'), 'https://example.com/terms')
  const contact = buyer.getByRole('link', { name: 'Contact' })
  await assertShows(() => contact.getAttribute('href'), 'mailto:hello@mugs.example')
  await pay(buyer)
  await buyer.waitForURL('**/thank-you/*')
  await buyer.getByText('Including 19% VAT').waitFor()
  await buyer.getByText(/The Mug Shop\s+Harbour Road 1/).waitFor()
  mailing.sendNow()
  const receipt = () => server.received.find(({ mail }) => mail.subject?.includes('confirmed'))
  await waitFor('the receipt arrives', () => receipt() !== undefined)
  assert.equal(receipt()?.mail.from?.name, 'The Mug Shop')
  assert.match(receipt()?.mail.text ?? '', /Including 19% VAT/)
})

test('what the environment decides is shown as such and cannot be typed over', async () => {
  const { page, dialog } = await openSection('retention')
  const field = dialog.getByLabel('Records of mails')
  await page.getByText('Set by KEEP_MAIL_DAYS in the environment.').waitFor()
  await assertShows(() => field.inputValue(), '14')
  await assertShows(() => field.getAttribute('readonly'), '')
})

test('an address is tried out before it is saved, and the owner can insist', async () => {
  const own = await openBrowserShop()
  const { page, dialog } = await openSection('address', await own.visitAsAdmin())
  const nowhere = 'http://127.0.0.1:1'
  await dialog.getByLabel('Public address').fill(nowhere)
  const check = dialog.getByRole('button', { name: /leads here.*Public address/ })
  await check.click()
  await dialog.getByText('Please enter your password.').waitFor()
  await typePassword(dialog)
  await check.click()
  await dialog.getByText(/cannot be reached from here/).waitFor()
  await dialog.getByLabel('Public address').fill(own.address)
  await check.click()
  await dialog.getByText(/is not encrypted/).waitFor()
  assert.doesNotMatch(await dialog.innerText(), /PUBLIC_URL|CUSTOM_DOMAIN/)
  assert.equal(await save(page, dialog), 200)
  assert.equal(own.shop.config.publicUrl, own.address)

  await dialog.getByLabel('Domain for payment pages').fill('http://localhost:1')
  await typePassword(dialog)
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    assert.equal(await save(page, dialog), 422)
    const refusal = dialog.getByRole('alert').getByText(/cannot be reached from here/)
    await refusal.waitFor()
    for (const part of [refusal, dialog.getByRole('button', { name: 'Save anyway' })])
      await assertShows(() => isInSight(part), true, `${width} px`)
  }
  assert.equal(await save(page, dialog, 'Save anyway'), 200)
  assert.equal(own.shop.config.customDomain, 'http://localhost:1')
})

test('of two admins who change the same settings the second is told and loads them again', async () => {
  const one = await openSection('tax')
  const other = await openSection('tax', await one.page.context().newPage())
  await one.dialog.getByLabel('VAT number').fill('DE111')
  await other.dialog.getByLabel('VAT number').fill('DE222')
  assert.equal(await save(one.page, one.dialog), 200)
  assert.equal(await save(other.page, other.dialog), 409)
  await other.dialog.getByRole('button', { name: 'Load them again' }).click()
  await other.dialog.getByRole('alert').waitFor({ state: 'hidden' })
  await assertShows(() => other.dialog.getByLabel('VAT number').inputValue(), 'DE111')
  await other.dialog.getByLabel('VAT number').fill('DE222')
  assert.equal(await save(other.page, other.dialog), 200)
  await other.page.close()
})

test('the logo is kept: a new product begins with it, and a page that does not exist shows it', async () => {
  const { page, dialog } = await openSection('shop')
  const picture = sharp({ create: { width: 96, height: 32, channels: 3, background: 'teal' } })
  const buffer = await picture.png().toBuffer()
  const png = { name: 'logo.png', mimeType: 'image/png', buffer }
  await dialog.getByLabel('Logo for new products').setInputFiles(png)
  await toast(page, 'Logo uploaded').waitFor()
  assert.equal(await save(page, dialog), 200)
  const { logoUrl } = shop.shop.config.shop
  assert.match(logoUrl ?? '', /^\/api\/objects\//)
  await shop.db.update(objects).set({ neededAt: new Date(Date.now() - 30 * day) })
  await deleteUnusedPictures(shop.db, shop.shop.pictures.store)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Add Product' }).click()
  const form = page.getByRole('dialog', { name: 'Add New Product' })
  const logo = form.locator('img').first()
  await logo.waitFor()
  assert.ok((await logo.getAttribute('src'))?.startsWith(logoUrl ?? 'missing'))
  await page.waitForFunction(
    () => (document.querySelector('[role=dialog] form img') as HTMLImageElement).naturalWidth > 0,
  )
  await form.getByText('The checkout page needs a header logo').waitFor({ state: 'hidden' })
  const buyer = await shop.visit()
  for (const path of ['/nowhere', '/checkout/none', '/thank-you/none']) {
    await buyer.goto(path)
    const source = await buyer.locator('img[data-shop-logo]').getAttribute('src')
    assert.ok(source?.startsWith(logoUrl ?? 'missing'))
  }
})

test('the owner connects SumUp, takes real payments at once, and goes back to test mode', async () => {
  const own = await openBrowserShop({
    canConnect: true,
    merchant: { code: 'MLIVE', sandbox: false },
  })
  const product = await addMug(own)
  const buyer = await own.visit()
  await buyer.goto(checkoutPath(product))
  await buyer
    .getByText(/test mode/i)
    .first()
    .waitFor()

  const page = await own.visitAsAdmin()
  await page.goto('/products')
  const notice = page.getByText('Test mode: no money is taken.')
  await notice.first().waitFor()
  await page.getByRole('button', { name: 'Read more' }).click()
  await page.getByRole('link', { name: /^Connect SumUp.*Test mode/ }).click()
  assert.equal(new URL(page.url()).search, '?settings=sumup')
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  await dialog.getByText(/buyers pay with test cards/).waitFor()
  await dialog.getByLabel('Merchant code').fill('MLIVE')
  await dialog.getByLabel('API key').fill('sup_sk_mistyped')
  await dialog.getByRole('button', { name: 'Check with SumUp' }).click()
  await dialog.getByText(/SumUp does not accept the API key/).waitFor()
  await typePassword(dialog)
  assert.equal(await save(page, dialog), 422)
  await dialog
    .getByRole('alert')
    .getByText(/does not accept the API key/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Show API key' }).waitFor()
  await dialog.getByLabel('API key').fill(own.sandbox.apiKey)
  await dialog.getByRole('alert').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Check with SumUp' }).click()
  await dialog.getByText('Account MLIVE (Germany, paid in EUR) takes real payments.').waitFor()
  assert.equal(await save(page, dialog), 200)
  await dialog.getByText(/In use now:.*MLIVE.*real payments/).waitFor()
  await assertShows(() => dialog.getByLabel('API key').inputValue(), '')
  await notice.first().waitFor({ state: 'hidden' })

  await buyer.reload()
  await pay(buyer)
  await buyer.waitForURL('**/thank-you/*')
  const rows = await own.db.select().from(checkouts)
  const sold = rows.find(({ state }) => state === 'paid')
  assert.deepEqual([sold?.merchantCode, sold?.isTest], ['MLIVE', false])

  await dialog.getByRole('button', { name: 'Disconnect…' }).click()
  await dialog.getByText('Disconnect your SumUp account?').waitFor()
  await dialog.getByRole('button', { name: 'Keep the account' }).click()
  await assertShows(() => dialog.getByLabel('Merchant code').inputValue(), 'MLIVE')
  await dialog.getByRole('button', { name: 'Disconnect…' }).click()
  await typePassword(dialog)
  assert.equal(await save(page, dialog, 'Disconnect'), 200)
  await dialog.getByText(/In use now:.*test cards/).waitFor()
  await notice.first().waitFor()
})

test('an account in pounds leads to the right currency, and an easy password to Account', async () => {
  const own = await openBrowserShop({
    canConnect: true,
    merchant: { code: 'MGBP', sandbox: false, currency: 'GBP', country: 'GB' },
  })
  await own.db.update(credentials).set({ isWeak: true })
  const { page, dialog } = await openSection('sumup', await own.visitAsAdmin())
  const currency = dialog.getByLabel('Buyers are charged in')
  await assertShows(() => currency.inputValue(), 'EUR')
  await dialog.getByLabel('Merchant code').fill('MGBP')
  await dialog.getByLabel('API key').fill(own.sandbox.apiKey)
  await typePassword(dialog)
  assert.equal(await save(page, dialog), 422)
  await dialog
    .getByRole('alert')
    .getByText(/paid in GBP.*charged in EUR/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Check with SumUp' }).click()
  await dialog.getByRole('button', { name: 'Charge in GBP' }).click()
  await assertShows(() => currency.inputValue(), 'GBP')
  assert.equal(await save(page, dialog), 409)
  await dialog
    .getByRole('alert')
    .getByText(/^Your password is easy to guess/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Open Account' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await own.db.update(credentials).set({ isWeak: false })
  assert.equal(await save(page, dialog), 200)
  await dialog.getByText(/In use now:.*MGBP.*paid in GBP.*real payments/).waitFor()
  assert.equal(own.shop.payments.currency, 'GBP')
})

test('every section can be used by anyone, on a desktop and on a phone', async () => {
  const page = await shop.visitAsAdmin({ bypassCSP: true })
  const readShifts = await watchLayoutShifts(page)
  const { dialog } = await openSection('delivery', page)
  assert.ok((await readShifts()) < 0.01, 'the layout jumps')
  // The texts have a frame in which no script runs, also not the one that watches (mail-texts.spec.ts).
  for (const section of settingsSections.filter((one) => one !== 'texts')) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await readShifts()
    await dialog.locator(`a[href$="settings=${section}"]`).click()
    await page.waitForURL((url) => url.search === `?settings=${section}`)
    await dialog.getByRole('button', { name: 'Save' }).waitFor()
    assert.ok((await readShifts()) < 0.01, `${section}: the layout jumps`)
    assert.deepEqual(await findIssuesAtBothWidths(page), [], section)
  }
})

test('Save leads to the first thing that is wrong or missing, wherever the section is scrolled', async () => {
  const { page, dialog } = await openSection('mail')
  const password = dialog.getByLabel('Your password')
  const port = dialog.getByLabel('Port')
  const isFocused = (field: Locator) =>
    field.evaluate((element) => element === document.activeElement)
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    await dialog.getByLabel('User name').fill(`user ${width}`)
    await dialog.getByLabel('Password', { exact: true }).scrollIntoViewIfNeeded()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Please enter your password.').waitFor()
    await assertShows(() => isFocused(password), true, `${width} px`)
    for (const part of [password, dialog.getByRole('link', { name: 'Mail' })])
      await assertShows(() => isInSight(part), true, `${width} px`)
    await port.fill('99999')
    await dialog.getByRole('button', { name: /^Send a test mail/ }).scrollIntoViewIfNeeded()
    // Enter in the password saves, as Save does.
    await password.press('Enter')
    await dialog.getByText('Please enter a port from 1 to 65535.').waitFor()
    await assertShows(() => isFocused(port), true, `${width} px`)
    await assertShows(() => isInSight(port), true, `${width} px`)
    await port.fill('465')
  }
  await password.fill('not my password')
  assert.equal(await save(page, dialog), 403)
  await dialog.getByText('This is not your password.').waitFor()
  await assertShows(() => isFocused(password), true)
})

test('a test mail is sent with what is typed, which is not saved by that; what it says holds until that changes', async () => {
  const own = await openBrowserShop()
  const server = await openMailServer()
  const { hostname, port } = new URL(server.url)
  const { page, dialog } = await openSection('mail', await own.visitAsAdmin())
  const test = dialog.getByRole('button', { name: /^Send a test mail/ })
  await test.click()
  const missing = dialog.getByText(/There is no mail server/)
  await missing.waitFor()
  await dialog.getByLabel('Sender').fill('Mugs <mugs@example.com>')
  await dialog.getByLabel('Mail server').fill(hostname)
  await missing.waitFor({ state: 'detached' })
  await dialog.getByLabel('Port').fill(port)
  await dialog.getByLabel('Encryption').selectOption('none')
  await test.click()
  await dialog.getByText('Please enter your password.').waitFor()
  await dialog.getByLabel('Your password').fill('not my password')
  await test.click()
  await dialog.getByText('This is not your password.').waitFor()
  await typePassword(dialog)
  await test.click()
  await dialog.getByText(/The mail server took a mail to owner@example\.com/).waitFor()
  assert.deepEqual(server.received[0]?.to, [testAdmin.email])
  assert.deepEqual(server.received[0]?.mail.from, { name: 'Mugs', address: 'mugs@example.com' })
  assert.equal(own.shop.config.mail.smtpUrl, undefined)
  assert.equal(await save(page, dialog), 200)
  await toast(page, 'Settings saved').waitFor()
  assert.equal(await missing.count(), 0)
})
