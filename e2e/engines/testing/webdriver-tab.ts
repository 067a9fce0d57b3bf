import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { keepToasts } from '#e2e/testing/keep-toasts.ts'
import { makeTraceFolder } from '#e2e/testing/traces.ts'
import { patienceMs } from '#server/testing/wait-for.ts'
import type { Engine, Role, Tab } from './tab.ts'
import { WebDriverError, type WebDriver } from './webdriver.ts'

const pollMs = 100
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** Where elements of a role are looked for. Which of them it is, the browser's own accessible name says. */
const selectors: Record<Role | 'field', string> = {
  button: 'button, [role=button], summary, input[type=submit]',
  dialog: 'dialog[open], [role=dialog], [role=alertdialog]',
  heading: 'h1, h2, h3, h4, [role=heading]',
  link: 'a[href]',
  combobox: 'select, [role=combobox]',
  field: 'input:not([type=hidden]), textarea, select',
}

/** A page that draws itself anew, or covers what is to be clicked, is a moment later as it should be. */
const passing = new Set([
  'no such element',
  'stale element reference',
  'no such frame',
  'no such window',
  'element click intercepted',
  'element not interactable',
  'invalid element state',
  'javascript error',
  // WebKit's, for the name of an element that is gone.
  'unknown error',
])

/** From the first command on, a page keeps its toasts, and what it logs, since WebKit prints none of it when it is driven. */
const keepPageLog = `window.tracedLog ??= (() => {
  ;(${String(keepToasts)})()
  const lines = []
  for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
    const print = console[level]
    console[level] = (...parts) => {
      lines.push(level + ': ' + parts.join(' '))
      print.apply(console, parts)
    }
  }
  addEventListener('error', ({ message, target }) => lines.push(message ?? 'not loaded: ' + (target.src ?? target.href)), true)
  addEventListener('unhandledrejection', ({ reason }) => lines.push('rejected: ' + reason))
  return lines
})()`

/** A browser behind WebDriver. It has one current window, so that its tabs take turns: stories do one thing at a time. */
export function createWebDriverEngine(
  driver: WebDriver,
  { address, takeLog }: { address: string; takeLog: () => string },
): Engine {
  const { send } = driver
  const handles = new Set<string>()
  /** Where commands go. */
  let current: string | undefined

  async function run<Result>(script: string, ...args: unknown[]): Promise<Result> {
    return (await send('run', { script: `${keepPageLog}\n${script}`, args })) as Result
  }

  /** Tries again until it is done. */
  async function attempt<Result>(what: string, action: () => Promise<Result>): Promise<Result> {
    for (const giveUpAt = Date.now() + patienceMs; ; await pause(pollMs)) {
      try {
        return await action()
      } catch (error) {
        const isPassing = error instanceof WebDriverError && passing.has(error.code)
        if (!isPassing || Date.now() > giveUpAt) throw new Error(what, { cause: error })
      }
    }
  }

  function expect(isSo: boolean): void {
    if (!isSo) throw notThere()
  }

  async function listVisible(selector: string, name = ''): Promise<string[]> {
    const found = await run<Record<string, string>[] | null>(
      `const isLikely = ({ ariaLabel, labels, textContent }) =>
        (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim().startsWith(arguments[1])
      const visible = [...document.querySelectorAll(arguments[0])].filter((element) =>
        element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true], [inert]'))
      return visible.toSorted((one, other) => isLikely(other) - isLikely(one))`,
      selector,
      name,
    )
    // Firefox answers null while the document of a frame is replaced.
    return (found ?? []).map((element) => element[elementKey] ?? '')
  }

  /** Of those that can be seen, which begins with this name, is the browser's own word; the likely ones are asked first. */
  async function findOne(kind: Role | 'field', name: string): Promise<string | undefined> {
    for (const id of await listVisible(selectors[kind], name)) {
      const label = String(await send('readLabel', { id }))
      if (label.trim().startsWith(name)) return id
    }
    return undefined
  }

  async function getOne(kind: Role | 'field', name: string): Promise<string> {
    const id = await findOne(kind, name)
    if (id === undefined) throw notThere()
    return id
  }

  function act<Result>(
    kind: Role | 'field',
    name: string,
    action: (id: string) => Promise<Result>,
  ): Promise<Result> {
    return attempt(`${kind} "${name}"`, async () => action(await getOne(kind, name)))
  }

  function actInFrame(
    role: Role,
    name: string,
    action: (id: string) => Promise<void>,
  ): Promise<void> {
    return attempt(`${role} "${name}" in a frame`, async () => {
      await send('switchFrame', { id: null })
      const frame = (await listVisible('iframe')).at(-1)
      if (frame === undefined) throw notThere()
      // One server takes the element, the other its id.
      await send('switchFrame', { id: reference(frame), element: frame })
      await action(await getOne(role, name))
      await send('switchFrame', { id: null })
    })
  }

  /** Firefox reports a click that led to a page without a network as failed. */
  async function clickAnywhere(id: string): Promise<void> {
    await send('click', { id }).catch((error: unknown) => {
      if (!String(error).includes('Reached error page')) throw error
    })
  }

  /** At once. At the edge, what stays in place while the page scrolls may cover it. */
  async function scrollToMiddle(id: string): Promise<void> {
    const script = 'arguments[0].scrollIntoView({ block: "center", behavior: "instant" })'
    await run(script, reference(id))
  }

  function createTab(handle: string): Tab {
    const here = async <Result>(action: () => Promise<Result>): Promise<Result> => {
      if (current !== handle) await send('switchWindow', { handle })
      current = handle
      return action()
    }
    const readPath = async () => new URL(String(await send('readUrl'))).pathname

    return {
      open: (path) =>
        here(async () => void (await send('open', { url: new URL(path, address).href }))),
      reload: () => here(async () => void (await send('reload'))),
      back: () => here(async () => void (await send('back'))),
      readPath: () => here(readPath),
      waitForPath: (beginning) =>
        here(() =>
          attempt(`path ${beginning}`, async () =>
            expect((await readPath()).startsWith(beginning)),
          ),
        ),
      waitForText: (text) =>
        here(() =>
          attempt(`text "${text}"`, async () =>
            expect(
              await run<boolean>(
                'return document.body.innerText.replace(/\\s+/g, " ").includes(arguments[0])',
                text,
              ),
            ),
          ),
        ),
      readText: () =>
        here(() =>
          attempt('text', () =>
            run<string>('return document.body.innerText.replace(/\\s+/g, " ")'),
          ),
        ),
      waitForSelector: (selector) =>
        here(() => attempt(selector, async () => expect((await listVisible(selector)).length > 0))),
      waitFor: (role, name) => here(() => act(role, name, async () => {})),
      waitForNo: (role, name) =>
        here(() =>
          attempt(`no ${role} "${name}"`, async () =>
            expect((await findOne(role, name)) === undefined),
          ),
        ),
      click: (role, name) =>
        here(() =>
          act(role, name, async (id) => {
            await scrollToMiddle(id)
            await clickAnywhere(id)
          }),
        ),
      waitInFrame: (role, name) => here(() => actInFrame(role, name, async () => {})),
      clickInFrame: (role, name) => here(() => actInFrame(role, name, clickAnywhere)),
      fill: (label, text) =>
        here(() =>
          act('field', label, async (id) => {
            await scrollToMiddle(id)
            await send('clear', { id })
            await send('type', { id, text })
          }),
        ),
      choose: (label, option) =>
        here(() =>
          act('field', label, async (id) => {
            const chosen = await run<Record<string, string> | null>(
              'return [...arguments[0].options].find(({ text }) => text === arguments[1]) ?? null',
              reference(id),
              option,
            )
            if (!chosen) throw notThere()
            await send('click', { id: chosen[elementKey] })
          }),
        ),
      chooseFile: (label, path) =>
        here(() =>
          act('field', label, async (id) => void (await send('type', { id, text: path }))),
        ),
      readValue: (label) =>
        here(() =>
          act('field', label, (id) => run<string>('return arguments[0].value', reference(id))),
        ),
      pressEscape: () =>
        here(async () => {
          const active = await run<Record<string, string>>('return document.activeElement')
          await send('type', { id: active[elementKey], text: '\uE00C' })
        }),
      openTab,
    }
  }

  async function openTab(path: string): Promise<Tab> {
    // Not a tab: WebKit's would stay in the background, where no animation moves on.
    const { handle } = (await send('openWindow', { type: 'window' })) as { handle: string }
    handles.add(handle)
    const tab = createTab(handle)
    await tab.open(path)
    return tab
  }

  /** In the browser's first window: a new one costs as much as the rest of a short story. */
  async function visit(): Promise<Tab> {
    const [first = String(await send('readWindow')), ...others] = handles
    handles.add(first)
    for (const handle of others) {
      await send('switchWindow', { handle })
      await send('closeWindow')
      handles.delete(handle)
    }
    current = undefined
    takeLog()
    const tab = createTab(first)
    // Every page of the shop will do.
    await tab.open('/robots.txt')
    await send('deleteCookies')
    await run('try { localStorage.clear(); sessionStorage.clear() } catch {}')
    return tab
  }

  async function saveTraces(test: string): Promise<void> {
    const folder = await makeTraceFolder(test)
    await writeFile(join(folder, 'browser.txt'), takeLog())
    for (const [index, handle] of [...handles].entries()) {
      const file = join(folder, `page-${index + 1}`)
      await saveWindow(handle, file).catch((error: unknown) =>
        writeFile(`${file}-not-read.txt`, String(error)),
      )
    }
  }

  async function saveWindow(handle: string, file: string): Promise<void> {
    await send('switchWindow', { handle })
    current = handle
    const seen = await run<{ text: string; logged: string[]; asked: string[] }>(`return {
      text: document.body.innerText,
      logged: window.tracedLog,
      asked: performance.getEntriesByType('resource').map(({ name, responseStatus }) => responseStatus + ' ' + name),
    }`)
    await writeFile(`${file}-text.txt`, `${String(await send('readUrl'))}\n${seen.text}`)
    await writeFile(`${file}-log.txt`, seen.logged.join('\n'))
    await writeFile(`${file}-network.txt`, seen.asked.join('\n'))
    const picture = String(await send('takePicture', { full: false, hash: false }))
    await writeFile(`${file}.png`, Buffer.from(picture, 'base64'))
  }

  return { visit, saveTraces, close: () => driver.end() }
}

const notThere = () => new WebDriverError('no such element', 'looked for in vain')
const reference = (id: string) => ({ [elementKey]: id })
