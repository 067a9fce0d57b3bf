import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { objectUrl } from '#contract/pictures.ts'
import {
  animate,
  createGif,
  createPngBomb,
  noise,
  openBothStores,
} from '#server/testing/pictures.ts'

const { s3, clients } = await openBothStores({ pixels: 2_000_000 })

const png = await noise(60, 40).png().toBuffer()
const jpeg = await noise(200, 100).jpeg().toBuffer()
const gif = await noise(30, 20).gif().toBuffer()
const join = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
/** Frames of one pixel: few pixels in all, and much work. */
const manyFrames = createGif(600)
const frames = await animate(40, 5).gif().toBuffer()
const pixels = await noise(60, 240).raw().toBuffer()
const brokenFrame = await sharp(pixels, {
  raw: { width: 60, height: 240, channels: 3, pageHeight: 60 },
})
  .webp({ lossless: true })
  .toBuffer()
const lastFrame = brokenFrame.lastIndexOf('ANMF')
brokenFrame.fill(0, lastFrame + 60, lastFrame + 2000)

const unknown = /not a picture we can show.*PNG, JPEG, WebP, GIF, AVIF or SVG/
const damaged = /damaged or incomplete/
const badFiles: Record<string, [Buffer, RegExp]> = {
  'an SVG with a script': [join(svg), /SVG has a script/],
  'a packed SVG': [gzipSync(svg), unknown],
  'an SVG in UTF-16': [Buffer.from(`\uFEFF${svg}`, 'utf16le'), unknown],
  'an SVG with a preface': [join('\uFEFF<?xml version="1.0"?>\n<!-- hi -->\n', svg), /SVG/],
  'a page': [join('<!doctype html><script>alert(1)</script>'), unknown],
  'a page that begins like a GIF': [join('GIF89a/*<html><script>alert(1)</script>'), unknown],
  'a GIF that is a script too': [join(gif, '*/=1;</script><SCRIPT>alert(1)</script>'), unknown],
  'a picture with a page behind it': [join(png, '<HTML><body onload=alert(1)>'), unknown],
  'a picture with a doctype in it': [join(jpeg, '<!DOCTYPE html>'), unknown],
  'a picture with a program in it': [join(jpeg, '<?php system($_GET[0]); ?>'), unknown],
  'a picture with a frame in it': [join(png, '<iframe src=//evil.example>'), unknown],
  'a picture with a link that runs': [join(png, 'JavaScript:alert(1)'), unknown],
  'a picture with an archive behind it': [join(png, 'PK\u0003\u0004abc'), unknown],
  'a photo with an archive behind it': [join(jpeg, 'PK\u0005\u0006'.padEnd(22, '\0')), unknown],
  'a picture with a drawing that runs': [join(jpeg, '<svg onload=alert(1)>'), unknown],
  'a picture with a body that runs': [join(jpeg, '<body onload=alert(1)>'), unknown],
  'a picture that is a document too': [join(png, '%PDF-1.7'), unknown],
  'a document': [join('%PDF-1.7\n%âãÏÓ\n1 0 obj'), unknown],
  'a text with the name of a picture': [join('not a picture at all'), unknown],
  'an archive': [join('PK\x03\x04', png), unknown],
  'a TIFF': [await noise(20, 20).tiff().toBuffer(), unknown],
  'bytes before a picture': [join('\0', png), unknown],
  'an empty file': [Buffer.alloc(0), /empty/],
  'half a JPEG': [jpeg.subarray(0, jpeg.length / 2), damaged],
  'half a PNG': [png.subarray(0, png.length / 2), damaged],
  'half a GIF': [gif.subarray(0, gif.length / 2), damaged],
  'only the name of a PNG': [png.subarray(0, 8), damaged],
  'a PNG with a hole': [join(png.subarray(0, 500), Buffer.alloc(500), png.subarray(1000)), damaged],
  'a picture of 400 megapixels': [createPngBomb(20_000), /too many pixels/],
  'a moving picture with too many frames': [
    await animate(200, 60).gif({ effort: 1 }).toBuffer(),
    /too many pixels/,
  ],
  'a moving picture with many tiny frames': [manyFrames, /more than 500 frames/],
  'half a moving picture': [frames.subarray(0, frames.length / 2), damaged],
  'a moving picture whose last frame is broken': [brokenFrame, damaged],
}

for (const [store, client] of Object.entries(clients)) {
  for (const [what, [bytes, sentence]] of Object.entries(badFiles)) {
    test(`${store}: ${what} is refused with a helpful message, and nothing of it is kept`, async () => {
      const { key, status, message } = await client.upload(bytes)
      assert.equal(status, 422, message)
      assert.match(message ?? '', sentence)
      assert.equal((await client.get(objectUrl(key))).status, 404)
    })
  }
}

test('of refused files nothing is left in the bucket', () => {
  assert.deepEqual(s3.list(), [])
})

test('metadata of cameras and programs is accepted', async () => {
  const xmp = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description>a &lt;script&gt; of a play</dc:description>
    </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
  const photo = await noise(60, 40)
    .withXmp(xmp)
    .withExif({ IFD0: { Make: 'Canon', ImageDescription: 'html, php and PDF-files' } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer()
  assert.ok(photo.includes('<x:xmpmeta'))
  for (const client of Object.values(clients)) {
    const { status, message } = await client.upload(photo)
    assert.equal(status, 200, message)
  }
})

test('unusual pictures are accepted', async () => {
  const pictures = {
    transparent: noise(40, 30).ensureAlpha(0.5).png(),
    grey: noise(40, 30).greyscale().jpeg(),
    cmyk: noise(40, 30).toColourspace('cmyk').jpeg(),
    deep: noise(40, 30).toColourspace('rgb16').png(),
    progressive: noise(40, 30).jpeg({ progressive: true }),
    lossless: noise(40, 30).webp({ lossless: true }),
    tiny: noise(1, 1).png(),
    long: noise(2000, 1).png(),
    moving: animate(40, 5).gif(),
    'moving in WebP': animate(40, 5).webp(),
  }
  for (const [name, picture] of Object.entries(pictures)) {
    const { status, message } = await clients.disk.upload(await picture.toBuffer())
    assert.equal(status, 200, `${name}: ${message}`)
  }
})
