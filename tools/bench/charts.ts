/* Line charts one below the other over the same time, as SVG that is readable on light and dark pages. */

export type Panel = {
  title: string
  /** Starts at 0 otherwise. */
  isLogarithmic?: boolean
  lines: { name: string; values: number[] }[]
}

const width = 960
const plot = { left: 58, right: 800, height: 116 }
const panelHeight = 168
const titleY = 22
const plotTop = 34

const style = `
  .page { fill: #ffffff } .title { fill: #1f2328; font-weight: 600 } .label { fill: #59636e } .grid { stroke: #d1d9e0; stroke-width: 1 }
  text { font: 13px system-ui, sans-serif } .label { font-size: 12px }
  .line { fill: none; stroke-width: 1.8; stroke-linejoin: round }
  .c0 { stroke: #0969da } .c1 { stroke: #bc4c00 } .c2 { stroke: #1a7f37 } .c3 { stroke: #8250df } .c4 { stroke: #9a6700 } .c5 { stroke: #1b7c83 } .c6 { stroke: #bf3989 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .title { fill: #f0f6fc } .label { fill: #9198a1 } .grid { stroke: #3d444d }
    .c0 { stroke: #58a6ff } .c1 { stroke: #f0883e } .c2 { stroke: #3fb950 } .c3 { stroke: #bc8cff } .c4 { stroke: #d29922 } .c5 { stroke: #39c5cf } .c6 { stroke: #f778ba }
  }`

/** `times` are the places of the values on the horizontal axis, which ends at `end`. */
export function drawCharts(times: number[], end: number, unit: string, panels: Panel[]): string {
  const height = panels.length * panelHeight + 30
  const toX = (time: number) => plot.left + (time / end) * (plot.right - plot.left)
  const drawn = panels.map((panel, index) => {
    const content = drawPanel(panel, times.map(toX))
    return `<g transform="translate(0 ${index * panelHeight})">${content}</g>`
  })
  const axis = findTicks(end).map((tick) =>
    drawText(toX(tick), height - 12, `${tick}`, 'middle', 'label'),
  )
  const unitText = drawText(plot.right + 14, height - 12, unit, 'start', 'label')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${panels.map(({ title }) => title).join('; ')}</title>
<style>${style}
</style>
<rect class="page" width="${width}" height="${height}"/>
${drawn.join('\n')}
${axis.join('')}${unitText}
</svg>
`
}

function drawPanel({ title, isLogarithmic = false, lines }: Panel, xs: number[]): string {
  const scale = isLogarithmic ? createLogScale(lines) : createLinearScale(lines)
  const toY = (value: number) => plotTop + plot.height * (1 - scale.place(value))
  const grid = scale.ticks.map((tick) => {
    const y = round(toY(tick))
    return `<path class="grid" d="M${plot.left} ${y}H${plot.right}"/>${drawText(plot.left - 8, y + 4, tick.toLocaleString('en'), 'end', 'label')}`
  })
  const drawn = lines.map(({ name, values }, index) => {
    const path = values.map((value, at) => `${round(xs[at] ?? 0)} ${round(toY(value))}`).join('L')
    const y = plotTop + 10 + index * 17
    const key = `<path class="line c${index}" d="M${plot.right + 14} ${y - 4}h18"/>`
    return `<path class="line c${index}" d="M${path}"/>${key}${drawText(plot.right + 38, y, name, 'start', 'label')}`
  })
  return [drawText(plot.left, titleY, title, 'start', 'title'), ...grid, ...drawn].join('')
}

type Scale = { ticks: number[]; place: (value: number) => number }

function createLinearScale(lines: Panel['lines']): Scale {
  const max = Math.max(...lines.flatMap(({ values }) => values), 1)
  const ticks = findTicks(max)
  const top = (ticks[1] ?? max) * Math.ceil(max / (ticks[1] ?? max))
  return {
    ticks: (ticks.at(-1) ?? 0) < top ? [...ticks, top] : ticks,
    place: (value) => value / top,
  }
}

/** Whole powers of ten. */
function createLogScale(lines: Panel['lines']): Scale {
  const values = lines.flatMap((line) => line.values).filter((value) => value > 0)
  const low = Math.floor(Math.log10(Math.min(...values, 1)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values, 10))))
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
  return {
    ticks,
    place: (value) => (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low),
  }
}

/** About four round numbers from 0 on. */
function findTicks(max: number): number[] {
  const rough = max / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step =
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => round(index * step))
}

const round = (value: number) => Math.round(value * 100) / 100

function drawText(
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end',
  name: 'title' | 'label',
): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" class="${name}">${text}</text>`
}
