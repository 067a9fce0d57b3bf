import { once } from 'node:events'
import { connect } from 'node:net'

/*
 * WebDriver, as both servers speak it: WebKit's by HTTP, Firefox's own as Marionette over a socket, whose commands are
 * the same under other names. https://www.w3.org/TR/webdriver2/, remote/marionette in Firefox's sources.
 */

type CommandParameters = Record<string, unknown>

const commands = {
  open: ['POST', 'url', 'Navigate'],
  readUrl: ['GET', 'url', 'GetCurrentURL'],
  reload: ['POST', 'refresh', 'Refresh'],
  back: ['POST', 'back', 'Back'],
  readLabel: ['GET', 'element/{id}/computedlabel', 'GetComputedLabel'],
  click: ['POST', 'element/{id}/click', 'ElementClick'],
  clear: ['POST', 'element/{id}/clear', 'ElementClear'],
  type: ['POST', 'element/{id}/value', 'ElementSendKeys'],
  run: ['POST', 'execute/sync', 'ExecuteScript'],
  readWindow: ['GET', 'window', 'GetWindowHandle'],
  openWindow: ['POST', 'window/new', 'NewWindow'],
  switchWindow: ['POST', 'window', 'SwitchToWindow'],
  closeWindow: ['DELETE', 'window', 'CloseWindow'],
  switchFrame: ['POST', 'frame', 'SwitchToFrame'],
  deleteCookies: ['DELETE', 'cookie', 'DeleteAllCookies'],
  takePicture: ['GET', 'screenshot', 'TakeScreenshot'],
} as const

export type Command = keyof typeof commands

export type WebDriver = {
  send: (command: Command, parameters?: CommandParameters) => Promise<unknown>
  end: () => Promise<void>
}

/** What the browser refused, by its code: "stale element reference". */
export class WebDriverError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

/** A browser that hangs ends its story, not the run. */
const commandTimeoutMs = 60_000

const capabilities = { unhandledPromptBehavior: 'accept' }

/** A session of WebKit's WebDriver server, which starts the browser. */
export async function openHttpSession(port: number, browserPath: string): Promise<WebDriver> {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      signal: AbortSignal.timeout(commandTimeoutMs),
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    }).catch((cause: unknown) => {
      throw new Error(`No answer to ${path} ${JSON.stringify(body)}`, { cause })
    })
    const { value } = (await response.json()) as { value: unknown }
    if (response.ok) return value
    const { error, message } = value as { error: string; message: string }
    throw new WebDriverError(error, message)
  }

  const browserOptions = { binary: browserPath, args: ['--automation'] }
  const session = (await call('POST', '', {
    capabilities: { alwaysMatch: { ...capabilities, 'webkitgtk:browserOptions': browserOptions } },
  })) as { sessionId: string }

  return {
    send(command, parameters = {}) {
      const [method, path] = commands[command]
      const ownPath = path.replace('{id}', String(parameters.id))
      return call(method, `/${session.sessionId}/${ownPath}`, parameters)
    },
    end: async () => void (await call('DELETE', `/${session.sessionId}`)),
  }
}

/** A session of Firefox itself. Messages are `length:JSON`; an answer is [1, number, error, result]. */
export async function openMarionetteSession(port: number): Promise<WebDriver> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  let received = Buffer.alloc(0)

  socket.on('data', (part) => {
    received = Buffer.concat([received, part])
    for (;;) {
      const colon = received.indexOf(':')
      const end = colon + 1 + Number(received.subarray(0, Math.max(colon, 0)))
      if (colon < 0 || received.length < end) return
      const message: unknown = JSON.parse(received.toString('utf8', colon + 1, end))
      received = received.subarray(end)
      if (Array.isArray(message)) settle(message)
    }
  })
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the session'))
  })

  function settle([, number, error, result]: unknown[]): void {
    const answer = waiting.get(number as number)
    waiting.delete(number as number)
    const refusal = error as { error: string; message: string } | null
    if (refusal) answer?.reject(new WebDriverError(refusal.error, refusal.message))
    else answer?.resolve(result)
  }

  async function call(name: string, parameters: CommandParameters): Promise<unknown> {
    count += 1
    const answer = Promise.withResolvers<unknown>()
    waiting.set(count, answer)
    const message = JSON.stringify([0, count, name, parameters])
    socket.write(`${Buffer.byteLength(message)}:${message}`)
    const giveUp = () => answer.reject(new Error(`No answer to ${message}`))
    const timer = setTimeout(giveUp, commandTimeoutMs)
    const result = await answer.promise.finally(() => clearTimeout(timer))
    const isWrapped = typeof result === 'object' && result !== null && 'value' in result
    return isWrapped ? result.value : result
  }

  await call('WebDriver:NewSession', capabilities)
  return {
    send: (command, parameters = {}) => call(`WebDriver:${commands[command][2]}`, parameters),
    // The session ends with its connection.
    end: async () => void socket.destroy(),
  }
}
