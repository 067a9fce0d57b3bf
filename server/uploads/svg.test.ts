import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import sharp from 'sharp'
import { objectUrl } from '#contract/pictures.ts'
import { createPngBomb, noise, openBothStores } from '#server/testing/pictures.ts'
import { renderSvg } from './svg.ts'

const namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const square = '<rect width="50" height="20" fill="#f00"/>'
const draw = (content: string, more = '') =>
  Buffer.from(`<svg ${namespaces} viewBox="0 0 100 40" ${more}>${square}${content}</svg>`)
const embed = (type: string, bytes: Buffer) =>
  `<image href="data:image/${type};base64,${bytes.toString('base64')}" width="9" height="9"/>`
const png = await noise(8, 8).png().toBuffer()

const safe: Record<string, Buffer> = {
  'what a program writes': Buffer.concat([
    Buffer.from(
      '\uFEFF<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Created with Inkscape (http://www.inkscape.org/) -->\n',
    ),
    draw('<metadata>http://purl.org/dc</metadata>', 'data-name="C:\\logos\\a.svg"'),
  ]),
  'gradients and parts of itself': draw(
    `<defs><linearGradient id="g"><stop stop-color="#00f"/></linearGradient><style><![CDATA[.a{fill:url( "#g" )}]]></style></defs><use xlink:href="#g"/><path class="a" style="fill:url(#g)" d="M0 0h9v9z"/>`,
  ),
  'an embedded bitmap': draw(embed('png', png)),
}

for (const [what, svg] of Object.entries(safe))
  test(`an SVG with ${what} is drawn`, async () => {
    const { width, height, format } = await sharp(await renderSvg(svg)).metadata()
    assert.deepEqual({ width, height, format }, { width: 1200, height: 480, format: 'png' })
  })

const outside = 'http://127.0.0.1:1/x.png'
const unsafe: Record<string, string> = {
  'a script': '<script>alert(1)</script>',
  'a script of another name': '<svg:script xmlns:svg="http://www.w3.org/2000/svg"/>',
  'an event': '<g onload="alert(1)"/>',
  'an event on a line of its own': '<g\nonclick = "alert(1)"/>',
  'a page': '<foreignObject><body/></foreignObject>',
  'a picture of elsewhere': `<image href="${outside}"/>`,
  'a file': '<image xlink:href = \n "file:///etc/passwd"/>',
  'a relative file': "<image xlink:href='logo.png'/>",
  'a hidden address': '<image href="&#104;ttp&#x3a;//127.0.0.1/"/>',
  'another drawing inside': `<image href="data:image/svg+xml;base64,${draw('').toString('base64')}"/>`,
  'a style of elsewhere': `<style>@import "${outside}";</style>`,
  'an escaped style of elsewhere': `<style>@\\69mport "${outside}";</style>`,
  'a fill of elsewhere': `<g style="fill:url(${outside}#a)"/>`,
  'an escaped fill of elsewhere': `<g style="fill:u\\72 l(${outside})"/>`,
  'a hidden fill of elsewhere': `<g style="fill:&#117;rl('${outside}')"/>`,
  'a font of elsewhere': `<style>@font-face{src:url("${outside}")}</style>`,
  'an included text': '<xi:include href="file:///etc/passwd" parse="text"/>',
  'another base': '<g xml:base="http://127.0.0.1/"/>',
  'a style sheet': '<?xml-stylesheet href="#a"?>',
  'a link': `<a href="${outside}"/>`,
}

for (const [what, content] of Object.entries(unsafe))
  test(`an SVG with ${what} is refused`, async () => {
    await assert.rejects(renderSvg(draw(content)), { code: 'picture-svg' })
  })

test('an SVG with a DTD or in an encoding that hides something is refused', async () => {
  const svg = draw('').toString()
  for (const bytes of [
    Buffer.from(`<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg}`),
    Buffer.from(`<?xml version="1.0" encoding = "UTF-7"?>${svg}`),
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${svg}`),
    Buffer.from(`${svg}<!-- ä -->`, 'latin1'),
  ])
    await assert.rejects(renderSvg(bytes), { code: 'picture-svg' })
})

test('an SVG that claims to be huge is drawn small, and a bitmap that is huge is not drawn', async () => {
  const huge = draw('', 'width="9000000" height="3600000"')
  assert.equal((await sharp(await renderSvg(huge)).metadata()).width, 1200)
  const bomb = draw(embed('png', createPngBomb(8_000)))
  await assert.rejects(renderSvg(bomb), { code: 'picture-too-many-pixels' })
  for (const broken of [
    draw('<g>'),
    draw('<g>'.repeat(100_000)),
    draw(embed('png', Buffer.from('x'))),
  ])
    await assert.rejects(renderSvg(broken), { code: 'picture-damaged' })
})

test('an SVG that takes too long to draw is given up, and the shop goes on', async () => {
  const slow = '<feGaussianBlur stdDeviation="50"/><feMorphology operator="dilate" radius="50"/>'
  const filter = `<filter id="f" x="-100" y="-100" width="1000" height="1000">${slow.repeat(20)}</filter>`
  const svg = draw(`${filter}<g filter="url(#f)">${square}</g>`)
  await assert.rejects(renderSvg(svg, 1), { code: 'picture-svg' })
})

const { clients } = await openBothStores()

for (const [store, client] of Object.entries(clients))
  test(`${store}: of an uploaded SVG only its bitmap is kept and served`, async () => {
    const svg = draw('')
    const { objectPath: key, uploadURL } = await client.start('logo')
    const sent = await client.send(uploadURL, svg)
    assert.equal(sent.status, 200, sent.message)
    const md5 = createHash('md5').update(svg).digest('hex')
    assert.equal(sent.headers.get('etag'), `"${md5}"`)
    const whole = await client.get(objectUrl(key))
    assert.equal(whole.headers.get('content-type'), 'image/png')
    const { data, info } = await sharp(whole.body).raw().toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height], [1200, 480])
    assert.deepEqual([...data.subarray(0, 4)], [255, 0, 0, 255])
    assert.notEqual(await client.readUploaded(key), md5)
    const again = await client.send(uploadURL, svg)
    assert.equal(again.status, 200, 'the same file, because the answer was lost')
  })
