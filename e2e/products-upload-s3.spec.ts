import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { startS3 } from '#server/testing/s3-server.ts'
import { openBrowserShop } from '#e2e/testing/browser-shop.ts'
import { assertShows } from '#e2e/testing/page-checks.ts'

const s3 = await startS3()
const shop = await openBrowserShop({
  environment: { ...s3.environment, S3_ENDPOINT: await openToBrowsers(s3.environment.S3_ENDPOINT) },
})
const picture = sharp({ create: { width: 96, height: 32, channels: 3, background: 'teal' } })
const png = { name: 'logo.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() }

/** A bucket whose owner lets browsers in, but has forgotten to let them see the ETag. */
async function openToBrowsers(endpoint: string): Promise<string> {
  const door = createServer((incoming, answer) => {
    answer.setHeader('access-control-allow-origin', '*')
    answer.setHeader('access-control-allow-methods', 'PUT')
    answer.setHeader('access-control-allow-headers', '*')
    if (incoming.method === 'OPTIONS') return answer.writeHead(204).end()
    const { method = 'GET', url = '/', headers } = incoming
    const passed = request(`${endpoint}${url}`, { method, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers)
      found.pipe(answer)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  after(() => door.close())
  return `http://127.0.0.1:${(door.address() as AddressInfo).port}`
}

async function chooseLogo(file: typeof png) {
  const page = await shop.visitAsAdmin()
  await page.goto('/products')
  await page.getByRole('button', { name: 'Add Product' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Checkout Page Header Logo').setInputFiles(file)
  return { page, dialog }
}

test('a picture goes straight to the bucket and is shown by the shop', async () => {
  const { page, dialog } = await chooseLogo(png)
  await page.getByText('Logo uploaded', { exact: true }).first().waitFor()
  const shown = dialog.locator('img')
  await assertShows(() => shown.getAttribute('src'), /^\/api\/objects\/[0-9a-f]{32}\?size=logo$/)
  assert.ok(s3.list().length > 0)
})

test('a file that the bucket accepts and the shop cannot show is refused by the shop', async () => {
  const { page, dialog } = await chooseLogo({ ...png, buffer: Buffer.from('no picture at all') })
  await page.getByText('Upload error', { exact: true }).first().waitFor()
  await dialog.getByText('This file is not a picture we can show.').first().waitFor()
})
