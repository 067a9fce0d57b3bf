import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import AwsS3, { type AwsS3UploadParameters } from '@uppy/aws-s3'
import Uppy from '@uppy/core'
import sharp from 'sharp'
import { findObjectKey, objectUrl } from '#contract/pictures.ts'
import { noise, openBothStores } from '#server/testing/pictures.ts'

const { clients } = await openBothStores({ image: 20 * 1024 * 1024 })
/** More than two parts of Uppy's minimum size. */
const large = await noise(2200, 1700).png({ compressionLevel: 0 }).toBuffer()

/** Replaces XMLHttpRequest, which Node does not have. */
async function uploadPartBytes(options: {
  signature: AwsS3UploadParameters
  body: FormData | Blob
  onComplete: (etag: string) => void
}) {
  const { url, method = 'PUT' } = options.signature
  const answer = await fetch(url, { method, body: options.body })
  assert.equal(answer.status, 200)
  const ETag = answer.headers.get('etag') ?? ''
  options.onComplete(ETag)
  return { ETag }
}

for (const [store, client] of Object.entries(clients)) {
  const address = await client.shop.app.listen({ port: 0, host: '127.0.0.1' })

  async function uploadWithUppy(inParts: boolean) {
    const uppy = new Uppy().use(AwsS3, {
      endpoint: `${address}/api/objects/`,
      shouldUseMultipart: () => inParts,
      headers: client.admin,
      uploadPartBytes,
    })
    uppy.addFile({ name: 'mug.png', type: 'image/png', data: new Blob([new Uint8Array(large)]) })
    const { successful = [], failed } = (await uppy.upload()) ?? {}
    assert.deepEqual(failed, [])
    return successful[0]?.response
  }

  async function assertStored(url: string) {
    const { body } = await client.get(url)
    const { width, height } = await sharp(body).metadata()
    assert.deepEqual({ width, height }, { width: 2200, height: 1700 })
    const uploaded = await client.readUploaded(findObjectKey(url) ?? '')
    assert.equal(uploaded, createHash('md5').update(large).digest('hex'))
  }

  test(`${store}: Uppy uploads in parts, configured with the endpoint only`, async () => {
    const response = await uploadWithUppy(true)
    await assertStored(String(response?.uploadURL))
  })

  test(`${store}: Uppy uploads in one piece, configured with the endpoint only`, async () => {
    const response = await uploadWithUppy(false)
    await assertStored(objectUrl(String(response?.body?.key)))
  })
}
