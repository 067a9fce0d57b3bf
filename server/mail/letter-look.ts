/*
 * The look of web/ui/theme.css for mail programs: they know no variables and often no style tag, so
 * every colour stands in line, and the dark ones are laid over them where a style tag is understood.
 */
const light = {
  paper: '#f3eee4',
  card: '#fffdf9',
  slot: '#211d17',
  ink: '#211d17',
  soft: '#575044',
  line: '#c9bfae',
  accent: '#0d5c5f',
  onAccent: '#fffdf9',
}
const dark: Colours = {
  paper: '#161411',
  card: '#221f1a',
  slot: '#574e41',
  ink: '#f4eee3',
  soft: '#c6bcac',
  line: '#574e41',
  accent: '#79c8c1',
  onAccent: '#0a2423',
}
type Colours = typeof light

const sans = `-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif`
const mono = `ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace`

export const look = {
  paper: `background-color:${light.paper};`,
  card: `background-color:${light.card};`,
  slot: `background-color:${light.slot};height:10px;border-radius:5px;font-size:0;line-height:10px;`,
  torn: `background:${tornEdge(light)};height:6px;font-size:0;line-height:6px;`,
  row: 'padding:20px 28px;word-break:break-word;',
  /** In the dark a logo keeps a light ground: most are drawn for one. */
  logo: 'height:44px;width:auto;max-width:240px;object-fit:contain;padding:8px 12px;border-radius:8px;',
  shopName: `font:600 20px/1.3 ${sans};color:${light.ink};`,
  title: `margin:0;font:600 28px/1.2 ${sans};letter-spacing:-0.02em;color:${light.ink};`,
  text: `font:400 16px/1.5 ${sans};color:${light.ink};`,
  strong: `font:600 16px/1.5 ${sans};color:${light.ink};`,
  total: `font:600 20px/1.4 ${sans};color:${light.ink};`,
  soft: `font:400 14px/1.5 ${sans};color:${light.soft};`,
  label: `margin:0 0 2px;font:600 13px/1.5 ${sans};color:${light.soft};`,
  number: `font:400 14px/1.5 ${mono};color:${light.ink};`,
  perforation: `border-top:1px dashed ${light.line};font-size:0;line-height:0;`,
  link: `color:${light.accent};`,
  button: `background-color:${light.accent};border-radius:8px;`,
  buttonText: `display:block;padding:14px 28px;font:600 16px/1.4 ${sans};color:${light.onAccent};text-decoration:none;`,
}

const darkRules = {
  paper: `background-color:${dark.paper}`,
  card: `background-color:${dark.card}`,
  slot: `background-color:${dark.slot}`,
  torn: `background:${tornEdge(dark)}`,
  plate: `background-color:${light.card}`,
  ink: `color:${dark.ink}`,
  soft: `color:${dark.soft}`,
  line: `border-color:${dark.line}`,
  accent: `color:${dark.accent}`,
  button: `background-color:${dark.accent}`,
  'on-accent': `color:${dark.onAccent}`,
}

/** `!important` because the light colours stand in line, which would win. */
export const darkStyle = `@media (prefers-color-scheme:dark){${Object.entries(darkRules)
  .map(([name, rule]) => `.${name}{${rule} !important}`)
  .join('')}}`

/** Teeth below the slip, 6 px high. Programs that cannot draw them show a straight edge. */
function tornEdge({ card }: Colours): string {
  const half = (angle: number) => `linear-gradient(${angle}deg,${card} 4.24px,transparent 4.5px)`
  return `${half(135)} 0 0/12px 6px repeat-x,${half(225)} 0 0/12px 6px repeat-x`
}
