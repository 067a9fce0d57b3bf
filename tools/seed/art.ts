import sharp from 'sharp'

export type ArtName = keyof typeof productShapes

const sidePx = 1_200

/** Drawn as SVG and rendered as WebP, because uploads do not accept SVG. */
export async function drawProduct(name: ArtName): Promise<Buffer> {
  const { wall, table, shapes } = productShapes[name]
  return render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sidePx}" height="${sidePx}" viewBox="0 0 600 600">
    <defs>
      <linearGradient id="wall" x2="0.6" y2="1"><stop stop-color="${wall[0]}"/><stop offset="1" stop-color="${wall[1]}"/></linearGradient>
      <linearGradient id="table" x2="0" y2="1"><stop stop-color="${table[0]}"/><stop offset="1" stop-color="${table[1]}"/></linearGradient>
      <linearGradient id="shade" x2="1" y2="0"><stop stop-color="#fff" stop-opacity=".28"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".3"/></linearGradient>
      <radialGradient id="glow"><stop stop-color="#fff" stop-opacity=".5"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
      <filter id="soft" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="14"/></filter>
    </defs>
    <rect width="600" height="600" fill="url(#wall)"/>
    <circle cx="170" cy="130" r="330" fill="url(#glow)"/>
    <rect y="415" width="600" height="185" fill="url(#table)"/>
    <rect y="415" width="600" height="3" fill="#fff" opacity=".25"/>
    ${shapes}
  </svg>`,
  )
}

/** An oak leaf over a hearth, on its own background so that it works on light and dark headers. */
export async function drawLogo(): Promise<Buffer> {
  return render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640" viewBox="0 0 160 160">
    <rect width="160" height="160" rx="36" fill="#23402f"/>
    <path d="M80 26c12 8 9 17 18 20s9 13 4 19c9 3 10 14 2 19 7 5 4 16-6 17-4 9-13 9-18 4-5 5-14 5-18-4-10-1-13-12-6-17-8-5-7-16 2-19-5-6-4-16 4-19s6-12 18-20z" fill="#e9c46a"/>
    <path d="M80 40v88M80 66l12-9M80 66l-12-9M80 86l15-9M80 86l-15-9M80 102l11-6M80 102l-11-6" stroke="#23402f" stroke-width="4" stroke-linecap="round" fill="none"/>
    <path d="M44 132h72" stroke="#f4ede0" stroke-width="6" stroke-linecap="round"/>
  </svg>`,
  )
}

/** The SVG loader is blocked elsewhere, to protect it from uploads; these drawings are ours. */
async function render(svg: string): Promise<Buffer> {
  const loader = { operation: ['VipsForeignLoadSvg'] }
  sharp.unblock(loader)
  try {
    return await sharp(Buffer.from(svg)).webp({ quality: 88 }).toBuffer()
  } finally {
    sharp.block(loader)
  }
}

type Scene = { wall: [string, string]; table: [string, string]; shapes: string }

const shadow = (x: number, y: number, width: number, height = 26) =>
  `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${height}" fill="#000" opacity=".32" filter="url(#soft)"/>`

/** The products of the demo, on a canvas of 600 by 600. */
const productShapes = {
  mug: {
    wall: ['#e7efe9', '#b9cfc4'],
    table: ['#c9a27a', '#8f6a48'],
    shapes: `${shadow(330, 500, 190)}
      <path d="M395 285c70-14 112 24 104 80s-58 86-116 70" fill="none" stroke="#2f6f6a" stroke-width="30"/>
      <path d="M395 285c70-14 112 24 104 80s-58 86-116 70" fill="none" stroke="#fff" stroke-opacity=".14" stroke-width="10"/>
      <path d="M170 230h240l-14 230c-2 26-24 40-52 40h-108c-28 0-50-14-52-40z" fill="#3b8078"/>
      <path d="M181 405h218l-3 55c-2 26-24 40-52 40h-108c-28 0-50-14-52-40z" fill="#d9c7a8"/>
      <path d="M181 405c40 16 60-8 100 4s80 6 118-6l-1 10c-40 16-70 0-112 0s-70 14-104 2z" fill="#3b8078"/>
      <path d="M170 230h240l-14 230c-2 26-24 40-52 40h-108c-28 0-50-14-52-40z" fill="url(#shade)"/>
      <ellipse cx="290" cy="230" rx="120" ry="27" fill="#2b615c"/><ellipse cx="290" cy="234" rx="104" ry="20" fill="#3a2418"/>
      <path d="M255 190c-22-30 18-44 0-78M305 190c-22-34 20-52 0-92" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="9" stroke-linecap="round"/>`,
  },
  candle: {
    wall: ['#4a3b36', '#231a1b'],
    table: ['#6b4a38', '#3a261d'],
    shapes: `<radialGradient id="flame"><stop stop-color="#ffca6b" stop-opacity=".75"/><stop offset=".35" stop-color="#ffb84d" stop-opacity=".3"/><stop offset="1" stop-color="#ffb84d" stop-opacity="0"/></radialGradient>
      <circle cx="300" cy="205" r="290" fill="url(#flame)"/>${shadow(300, 500, 160)}
      <rect x="196" y="270" width="208" height="230" rx="22" fill="#8a4b17"/>
      <rect x="208" y="292" width="184" height="196" rx="14" fill="#d98b2b"/>
      <rect x="208" y="292" width="184" height="70" rx="14" fill="#f3bd5d"/>
      <rect x="236" y="378" width="128" height="70" rx="6" fill="#f6ead2"/>
      <path d="M262 403h76M262 421h52" stroke="#8a5a2b" stroke-width="6" stroke-linecap="round"/>
      <rect x="196" y="270" width="208" height="230" rx="22" fill="url(#shade)"/>
      <path d="M300 292v-34" stroke="#2a1a10" stroke-width="7" stroke-linecap="round"/>
      <path d="M300 132c36 46 46 70 46 92a46 46 0 0 1-92 0c0-22 10-46 46-92z" fill="#ff9d2e"/>
      <path d="M300 178c19 26 24 38 24 50a24 24 0 0 1-48 0c0-12 5-24 24-50z" fill="#fff1c9"/>`,
  },
  board: {
    wall: ['#f3ece1', '#d8c7b0'],
    table: ['#e9e4dc', '#c3bbb0'],
    shapes: `${shadow(306, 520, 190, 20)}
      <g transform="rotate(-7 300 320)"><path d="M196 190c0-30 20-48 48-52l18-4v-54c0-22 16-36 38-36s38 14 38 36v54l18 4c28 4 48 22 48 52v280c0 28-20 46-46 46h-116c-26 0-46-18-46-46z" fill="#b9824c"/>
      <path d="M214 210c30 90-10 180 18 296M250 150c34 110-16 230 14 358M300 140c24 130-20 250 6 368M344 150c-22 140 26 240 4 356M384 200c-18 110 14 200-6 300" fill="none" stroke="#8a5a2e" stroke-opacity=".55" stroke-width="5"/>
      <ellipse cx="268" cy="330" rx="13" ry="26" fill="none" stroke="#7a4c24" stroke-opacity=".7" stroke-width="5"/>
      <path d="M196 190c0-30 20-48 48-52l18-4v-54c0-22 16-36 38-36s38 14 38 36v54l18 4c28 4 48 22 48 52v280c0 28-20 46-46 46h-116c-26 0-46-18-46-46z" fill="url(#shade)"/>
      <circle cx="300" cy="82" r="15" fill="#efe6d8"/><path d="M300 82c-40-60 60-76 12-6" fill="none" stroke="#5b3218" stroke-width="8"/></g>`,
  },
  kettle: {
    wall: ['#f6e3d3', '#e3b796'],
    table: ['#7a4f3c', '#4b2d22'],
    shapes: `${shadow(300, 505, 175)}
      <path d="M214 330h172l30 128c6 26-12 46-38 46H222c-26 0-44-20-38-46z" fill="#e8f1f2" opacity=".85"/>
      <path d="M200 404h200l14 54c6 26-12 46-38 46H222c-26 0-44-20-38-46z" fill="#4a2a18"/>
      <path d="M200 404h200" stroke="#8a5a3c" stroke-width="8"/>
      <path d="M412 360c52-8 66 24 60 56s-26 46-50 44" fill="none" stroke="#d7e3e6" stroke-width="16"/>
      <path d="M214 330h172l30 128c6 26-12 46-38 46H222c-26 0-44-20-38-46z" fill="url(#shade)"/>
      <path d="M178 162h244l-82 142h-80z" fill="#f7f2ea"/><path d="M178 162h244l-82 142h-80z" fill="url(#shade)"/>
      <rect x="236" y="302" width="128" height="26" rx="10" fill="#b4694b"/>
      <ellipse cx="300" cy="162" rx="122" ry="26" fill="#fffaf2"/><ellipse cx="300" cy="166" rx="98" ry="18" fill="#5a3420"/>
      <path d="M300 330v62" stroke="#5a3420" stroke-width="6" stroke-linecap="round" stroke-dasharray="3 13"/>`,
  },
  throw: {
    wall: ['#dfe5ec', '#a9b8c8'],
    table: ['#8d7763', '#5f4e40'],
    shapes: `${shadow(300, 515, 215)}
      <rect x="110" y="400" width="380" height="112" rx="40" fill="#c9bda9"/>
      <rect x="120" y="305" width="360" height="112" rx="40" fill="#ddd2bf"/>
      <rect x="132" y="212" width="336" height="110" rx="40" fill="#efe7d8"/>
      <path d="M132 250h336M132 282h336M120 344h360M120 376h360M110 440h380M110 474h380" stroke="#a4633f" stroke-opacity=".75" stroke-width="9"/>
      <path d="M160 212v100M220 212v100M280 212v100M340 212v100M400 212v100" stroke="#fff" stroke-opacity=".35" stroke-width="6"/>
      <path d="M470 330c26 70 10 120 20 190M450 330c22 80 4 130 14 196M428 330c18 80 2 140 10 200" fill="none" stroke="#efe7d8" stroke-width="10" stroke-linecap="round"/>
      <g fill="url(#shade)" opacity=".7"><rect x="110" y="400" width="380" height="112" rx="40"/><rect x="120" y="305" width="360" height="112" rx="40"/><rect x="132" y="212" width="336" height="110" rx="40"/></g>`,
  },
  vase: {
    wall: ['#f7dcd6', '#dba79c'],
    table: ['#f1e7df', '#cdb9ab'],
    shapes: `${shadow(300, 520, 130, 20)}
      <path d="M300 250C292 160 250 110 206 76M304 250c2-90 24-150 66-186M298 250c-16-60-60-86-110-92M304 250c18-52 62-72 104-76" fill="none" stroke="#54683f" stroke-width="8" stroke-linecap="round"/>
      <g fill="#6f8a52"><ellipse cx="228" cy="108" rx="34" ry="14" transform="rotate(38 228 108)"/><ellipse cx="352" cy="112" rx="34" ry="14" transform="rotate(-58 352 112)"/><ellipse cx="222" cy="172" rx="32" ry="13" transform="rotate(24 222 172)"/><ellipse cx="378" cy="184" rx="32" ry="13" transform="rotate(-22 378 184)"/><ellipse cx="268" cy="178" rx="28" ry="12" transform="rotate(60 268 178)"/></g>
      <g fill="#fff6ee"><circle cx="198" cy="68" r="24"/><circle cx="376" cy="58" r="26"/><circle cx="180" cy="154" r="20"/><circle cx="416" cy="170" r="22"/></g>
      <g fill="#e9a23b"><circle cx="198" cy="68" r="9"/><circle cx="376" cy="58" r="10"/><circle cx="180" cy="154" r="8"/><circle cx="416" cy="170" r="8"/></g>
      <path d="M262 246h76c-4 40-8 56 24 92s46 70 30 122c-10 34-34 58-60 58h-64c-26 0-50-24-60-58-16-52-2-86 30-122s28-52 24-92z" fill="#fbf7f2"/>
      <path d="M262 246h76c-4 40-8 56 24 92s46 70 30 122c-10 34-34 58-60 58h-64c-26 0-50-24-60-58-16-52-2-86 30-122s28-52 24-92z" fill="url(#shade)" opacity=".8"/>
      <ellipse cx="300" cy="246" rx="38" ry="9" fill="#d8c8ba"/>`,
  },
} satisfies Record<string, Scene>
