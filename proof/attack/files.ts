import sharp, { type Sharp } from 'sharp'
import {
  objectUrl,
  pictureSizes,
  pictureTypes,
  sizedPicture,
  type PictureSize,
} from '#contract/pictures.ts'
import {
  animate,
  createGif,
  createPng,
  createPngBomb,
  noise,
  openPictureClient,
  type Answer,
} from '#server/testing/pictures.ts'
import { openTestShop } from '#server/testing/test-shop.ts'
import { createFaults, type Findings } from './findings.ts'

/* Files that are something else than a picture, or more than one. What is accepted is served as a picture and nothing else. */

const markers = [
  '<script>alert(1)</script>',
  '<!DOCTYPE html><html><body onload=alert(1)>',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  '<?php system($_GET[0]); ?>',
  '%PDF-1.7 /OpenAction /JavaScript (app.alert(1))',
  'PK\u0003\u0004evil.jar',
  '*/=1;alert(1)//',
]
/** What must not be in anything that is served. */
const active = /<script|<!doctype|<svg|<\?php|%PDF-|onload=|alert\(1\)/i

type HostileFile = { name: string; bytes: Buffer }

export async function attackWithFiles(isShort: boolean): Promise<Findings> {
  const shop = await openTestShop()
  const client = await openPictureClient(shop)
  const faults = createFaults(
    'files that were served as something active',
    'files that were answered with an error of the server',
    'refused files that can be read',
  )
  const all = await createFiles()
  const files = isShort ? all.filter((_file, at) => at % 6 === 0) : all
  let accepted = 0
  let served = 0
  for (const { name, bytes } of files) {
    const { key, status, message } = await client.upload(bytes)
    if (status >= 500 || (status >= 400 && !message))
      faults['files that were answered with an error of the server'].push(`${name}: ${status}`)
    const isAccepted = status === 200
    if (isAccepted) accepted += 1
    const url = objectUrl(key)
    const sizes = Object.keys(pictureSizes) as PictureSize[]
    for (const path of [url, ...sizes.map((size) => sizedPicture(url, size))]) {
      const answer = await client.get(path)
      if (!isAccepted && answer.status !== 404)
        faults['refused files that can be read'].push(`${name}: ${answer.status}`)
      if (answer.status !== 200) continue
      served += 1
      for (const fault of findActive(answer))
        faults['files that were served as something active'].push(`${name}: ${fault}`)
    }
  }
  // Whatever it was given, it still takes a picture.
  const picture = await client.upload(await noise(60, 40).png().toBuffer())
  if (picture.status !== 200)
    faults['files that were answered with an error of the server'].push('a picture afterwards')
  return {
    figures: [
      `${files.length} hostile files: ${files.length - accepted} refused, ${accepted} made into ${served} harmless pictures`,
    ],
    faults,
  }
}

function findActive({ headers, body }: Answer): string[] {
  const type = headers.get('content-type') ?? ''
  const policy = headers.get('content-security-policy') ?? ''
  return [
    ...(pictureTypes.some((known) => known === type) ? [] : [`its type is ${type}`]),
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['its type may be guessed']),
    ...(policy.includes("default-src 'none'") && policy.includes('sandbox') ? [] : ['it may run']),
    ...(active.test(body.toString('latin1')) ? ['it contains a script'] : []),
  ]
}

async function createFiles(): Promise<HostileFile[]> {
  const [png, jpeg, gif, webp, avif] = await Promise.all([
    noise(60, 40).png().toBuffer(),
    noise(60, 40).jpeg().toBuffer(),
    noise(60, 40).gif().toBuffer(),
    noise(60, 40).webp().toBuffer(),
    noise(60, 40).avif({ effort: 0 }).toBuffer(),
  ])
  const pictures = Object.entries({ png, jpeg, gif, webp, avif })
  const polyglots = pictures.flatMap(([name, bytes]) =>
    markers.flatMap((marker) => [
      { name: `${name} followed by ${marker}`, bytes: join(bytes, marker) },
      { name: `${name} after ${marker}`, bytes: join(marker, bytes) },
    ]),
  )
  const damaged = pictures.flatMap(([name, bytes]) => [
    { name: `a tenth of a ${name}`, bytes: bytes.subarray(0, bytes.length / 10) },
    { name: `${name} without its end`, bytes: bytes.subarray(0, -20) },
    {
      name: `${name} with a hole`,
      bytes: join(bytes.subarray(0, 40), Buffer.alloc(400), bytes.subarray(440)),
    },
    { name: `${name} with changed bytes`, bytes: Buffer.from(bytes).fill(0xff, 24, 36) },
    { name: `the first bytes of a ${name}`, bytes: bytes.subarray(0, 16) },
  ])
  const other = markers.map((marker) => ({ name: marker, bytes: Buffer.from(marker) }))
  return [
    ...polyglots,
    ...damaged,
    ...other,
    ...(await createMetadata()),
    ...(await createOversized()),
    { name: 'nothing', bytes: Buffer.alloc(0) },
    { name: 'zeros', bytes: Buffer.alloc(10_000) },
    { name: 'a page in UTF-16', bytes: Buffer.from('\uFEFF<script>alert(1)</script>', 'utf16le') },
    {
      name: 'a page that begins like a GIF',
      bytes: Buffer.from('GIF89a/*<html><script>alert(1)</script>*/'),
    },
    { name: 'a BMP', bytes: join('BM', Buffer.alloc(100)) },
    { name: 'an icon', bytes: join(Buffer.from([0, 0, 1, 0, 1, 0]), png) },
    { name: 'a TIFF', bytes: await noise(20, 20).tiff().toBuffer() },
    { name: 'a program', bytes: join('\x7FELF', Buffer.alloc(200)) },
    { name: 'a PostScript', bytes: Buffer.from('%!PS\n(%pipe%id) (w) file') },
    {
      name: 'a picture script',
      bytes: Buffer.from('push graphic-context\nimage over 0,0 0,0 "url:|id"'),
    },
  ]
}

/** Scripts where cameras and programs write their texts. */
async function createMetadata(): Promise<HostileFile[]> {
  const exif = {
    IFD0: { ImageDescription: '"><script>alert(1)</script>', Copyright: '<svg onload=alert(1)>' },
  }
  const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><script>alert(1)</script></x:xmpmeta>'
  return Promise.all(
    (['png', 'jpeg', 'webp', 'avif'] as const).flatMap((format) => [
      toFile(`${format} with a script in its EXIF`, noise(60, 40).withExif(exif).toFormat(format)),
      toFile(`${format} with a script in its XMP`, noise(60, 40).withXmp(xmp).toFormat(format)),
    ]),
  )
}

/** Small to send, large to decode. */
async function createOversized(): Promise<HostileFile[]> {
  return [
    { name: 'a PNG of 400 megapixels', bytes: createPngBomb(20_000) },
    { name: 'a PNG of 49 megapixels', bytes: createPngBomb(7_000) },
    { name: 'a PNG with 9 MB of text', bytes: await createPng(9_000_000) },
    { name: 'a file of 11 MB', bytes: await createPng(11_000_000) },
    { name: 'a GIF of 501 frames', bytes: createGif(501) },
    { name: 'a GIF of 20,000 frames', bytes: createGif(20_000) },
    await toFile('a long animation', animate(40, 400).gif({ effort: 1 })),
    await toFile(
      'a line of 16,000 pixels',
      sharp({ create: { width: 16_000, height: 1, channels: 3, background: 'red' } }).webp(),
    ),
  ]
}

async function toFile(name: string, picture: Sharp): Promise<HostileFile> {
  return { name, bytes: await picture.toBuffer() }
}

function join(...parts: (Buffer | string)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}
