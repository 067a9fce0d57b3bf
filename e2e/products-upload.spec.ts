import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { apiRoutes } from '#contract/paths.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows, stopClock } from '#e2e/testing/page-checks.ts'

const shop = await openBrowserShop()
const picture = sharp({ create: { width: 96, height: 32, channels: 3, background: 'teal' } })
const bytes = await picture.png().toBuffer()
const png = { name: 'logo.png', mimeType: 'image/png', buffer: bytes }

const sharedPage = await shop.visitAsAdmin()

/** An empty form; who stops the clock has a page of their own. */
async function openForm(page = sharedPage) {
  await page.context().setOffline(false)
  await page.unrouteAll()
  await page.goto('/products')
  await page.getByRole('button', { name: 'Add Product' }).click()
  const dialog = page.getByRole('dialog')
  return { page, dialog, logo: dialog.getByLabel('Checkout Page Header Logo') }
}

const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()
const expired = '<Error><Message>Request has expired</Message></Error>'

/** A storage that answers each upload as the story says; the last answer is given from then on. */
async function answerUploads(page: Page, ...answers: ((route: Route) => Promise<void>)[]) {
  const sent: string[] = []
  let addresses = 0
  await page.route(`**${apiRoutes.upload}`, (route) => {
    addresses += 1
    const objectPath = `${addresses}`.padStart(32, 'a')
    return route.fulfill({
      json: { objectPath, uploadURL: `${shop.address}/storage/${addresses}` },
    })
  })
  await page.route('**/storage/*', async (route) => {
    sent.push(new URL(route.request().url()).pathname)
    await (answers[sent.length - 1] ?? answers.at(-1))?.(route)
  })
  await page.route('**/api/objects/aaaa*', (route) =>
    route.fulfill({ contentType: 'image/png', body: bytes }),
  )
  return sent
}

const answer = (status: number, headers = {}, body = '') => {
  return (route: Route) => route.fulfill({ status, headers, body })
}
const stored = answer(200, { etag: '"1"' })

test('a logo is uploaded to the shop itself, shown whole, and kept; an image says Image', async () => {
  const { page, dialog, logo } = await openForm()
  const tall = sharp({ create: { width: 200, height: 600, channels: 3, background: 'teal' } })
  await logo.setInputFiles({ ...png, buffer: await tall.png().toBuffer() })
  await toast(page, 'Logo uploaded').waitFor()
  const shown = dialog.locator('img')
  await assertShows(() => shown.getAttribute('src'), /^\/api\/objects\/[0-9a-f]{32}\?size=logo$/)
  await page.waitForFunction(
    () => (document.querySelector('form img') as HTMLImageElement).naturalWidth,
  )
  const [picture, frame] = await Promise.all([
    shown.boundingBox(),
    shown.locator('..').boundingBox(),
  ])
  assert.ok(picture && frame)
  assert.ok(
    picture.y >= frame.y && picture.y + picture.height <= frame.y + frame.height,
    JSON.stringify({ picture, frame }),
  )
  const fit = await shown.evaluate((element) => getComputedStyle(element).objectFit)
  assert.equal(fit, 'contain')
  await dialog.getByText('The checkout page needs a header logo').waitFor({ state: 'hidden' })
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByText('The checkout page needs a header logo').waitFor()

  await dialog.getByLabel('Product Image').setInputFiles(png)
  await toast(page, 'Image uploaded').waitFor()
})

test('a picture may be dropped or pasted onto its field', async () => {
  const { page, logo } = await openForm()
  for (const type of ['drop', 'paste']) {
    await logo.evaluate(
      (input, [type, data]) => {
        const transfer = new DataTransfer()
        const content = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
        transfer.items.add(new File([content], 'logo.png', { type: 'image/png' }))
        const options = { bubbles: true, cancelable: true }
        const event =
          type === 'drop'
            ? new DragEvent(type, { ...options, dataTransfer: transfer })
            : new ClipboardEvent(type, { ...options, clipboardData: transfer })
        input.dispatchEvent(event)
      },
      [type, bytes.toString('base64')] as const,
    )
    await toast(page, 'Logo uploaded').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
  }
})

test('a file that is too large or no picture is refused at once; one that only claims to be one, by the server', async () => {
  const { page, dialog, logo } = await openForm()
  const sent = await answerUploads(page, stored)
  for (const [type, size, text] of [
    ['image/png', 5_242_881, /larger than 5 MB/],
    ['text/plain', 1, /not a picture/],
    ['image/svg+xml', 1_048_577, /larger than 1 MB/],
  ] as const) {
    // Made in the page: megabytes take seconds on their way there.
    await logo.evaluate(
      (input: HTMLInputElement, [type, size]) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([new Uint8Array(size)], 'a', { type }))
        input.files = transfer.files
        input.dispatchEvent(new Event('change', { bubbles: true }))
      },
      [type, size] as const,
    )
    await toast(page, 'Upload error').waitFor()
    await dialog.getByText(text).first().waitFor()
  }
  assert.deepEqual(sent, [])

  await page.unrouteAll()
  await logo.setInputFiles({ ...png, buffer: Buffer.from('no picture at all') })
  await dialog.getByText('This file is not a picture we can show.').first().waitFor()
})

test('a storage that fails is tried again at once and after 1, 3 and 5 seconds, then the owner may; a busy one when it says', async () => {
  const { page, dialog, logo } = await openForm(await shop.visitAsAdmin())
  const failed = dialog.getByText('That did not work. Trying again...')
  // What is said of one attempt goes a moment after the next has begun.
  const failures = Array.from({ length: 5 }, () => async (route: Route) => {
    await failed.waitFor({ state: 'hidden' })
    await route.fulfill({ status: 500 })
  })
  const busy = answer(429, { 'retry-after': '7' })
  const sent = await answerUploads(page, ...failures, busy, stored)
  await stopClock(page)
  await logo.setInputFiles(png)
  for (const [retries, ms] of [1, 1000, 3000, 5000].entries()) {
    await assertShows(async () => sent.length, retries + 1)
    await failed.waitFor()
    if (ms > 1) await page.clock.runFor(ms - 10)
    assert.equal(sent.length, retries + 1)
    await page.clock.runFor(ms > 1 ? 10 : 1)
  }
  await toast(page, 'Upload error').waitFor()
  await toast(page, 'Failed to upload logo. Please try again.').waitFor()
  assert.equal(sent.length, 5)

  await dialog.getByRole('button', { name: 'Retry upload' }).click()
  await dialog.getByText('The storage is busy.').waitFor()
  await page.clock.runFor(6990)
  assert.equal(sent.length, 6)
  await page.clock.runFor(10)
  await toast(page, 'Logo uploaded').waitFor()
})

test('an expired address is replaced by a new one, and that picture is the one that counts', async () => {
  const { page, dialog, logo } = await openForm()
  const sent = await answerUploads(page, answer(403, {}, expired), stored)
  await logo.setInputFiles(png)
  await toast(page, 'Logo uploaded').waitFor()
  assert.deepEqual(sent, ['/storage/1', '/storage/2'])
  await assertShows(() => dialog.locator('img').getAttribute('src'), /a2\?size=logo$/)
})

test('without a network the upload waits, and goes on when it is back', async () => {
  const { page, dialog, logo } = await openForm()
  const goesOffline = async (route: Route) => {
    await page.context().setOffline(true)
    await route.abort('internetdisconnected')
  }
  const sent = await answerUploads(page, goesOffline, stored)
  await logo.setInputFiles(png)
  await dialog.getByText('You are offline. The upload continues when you are back.').waitFor()
  assert.equal(sent.length, 1)
  await page.context().setOffline(false)
  await toast(page, 'Logo uploaded').waitFor()
  assert.equal(sent.length, 2)
})

test('saving waits for a running upload, which can be cancelled at any moment', async () => {
  const { page, dialog, logo } = await openForm()
  const sent = await answerUploads(page, () => new Promise(() => {}))
  await logo.setInputFiles(png)
  await dialog.getByRole('progressbar', { name: 'Checkout Page Header Logo: upload' }).waitFor()
  const save = dialog.getByRole('button', { name: 'Create Product' })
  await assertShows(() => save.getAttribute('aria-disabled'), 'true')
  await dialog.getByText('The picture is still on its way.').waitFor()
  while (sent.length === 0) await page.evaluate(() => 0)
  const dropped = page.waitForEvent('requestfailed')
  await dialog.getByRole('button', { name: 'Cancel upload' }).click()
  await dropped
  await dialog.getByText('Choose a picture').nth(1).waitFor()
  assert.notEqual(await save.getAttribute('aria-disabled'), 'true')
})

test('without an upload address the owner sees why, at once and after one call', async () => {
  const noAddress = 'Failed to get upload URL. Please try again.'
  const { page, dialog, logo } = await openForm(await shop.visitAsAdmin())
  // Whatever would wait before it says so, waits for ever.
  await stopClock(page)
  for (const [refuse, text] of [
    [answer(500, {}, '{"error":"The disk is full."}'), 'The disk is full.'],
    [answer(500), noAddress],
    [answer(503, { 'retry-after': '1' }), noAddress],
    [answer(429, { 'retry-after': '1' }), noAddress],
    [(route: Route) => route.abort(), noAddress],
  ] as const) {
    let asked = 0
    await page.route(`**${apiRoutes.upload}`, (route) => {
      asked += 1
      return refuse(route)
    })
    await logo.setInputFiles(png)
    await toast(page, 'Upload failed').waitFor()
    await toast(page, text).waitFor()
    await page.clock.runFor(60_000)
    assert.equal(asked, 1, text)

    await page.unroute(`**${apiRoutes.upload}`)
    await dialog.getByRole('button', { name: 'Retry upload' }).click()
    // Only one toast is shown at a time: the next one is of the next attempt.
    await toast(page, 'Logo uploaded').waitFor()
  }
})
