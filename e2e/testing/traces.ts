import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, type SuiteContext, type TestContext } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { patienceMs } from '#server/testing/wait-for.ts'

/** A new folder for what this test leaves. Tests may begin alike, and one may have visitors of several shops. */
export async function makeTraceFolder(test: string): Promise<string> {
  const path = join('.traces', test.replaceAll(/[^\w]+/g, '-').slice(0, 80))
  let folder = path
  for (let number = 2; !(await makeNew(folder)); number += 1) folder = `${path}-${number}`
  process.stdout.write(`Traces of "${test}": ${folder}\n`)
  return folder
}

/** Whether it was not there yet: other processes make theirs at the same time. */
async function makeNew(folder: string): Promise<boolean> {
  await mkdir('.traces', { recursive: true })
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** The browser logs every failed request as an error, also those that a story provokes. */
const expectedErrors =
  /Failed to load resource: (the server responded with a status of|net::ERR_FAILED|net::ERR_INTERNET_DISCONNECTED|net::ERR_CONNECTION_RESET|net::ERR_SOCKET_NOT_CONNECTED)/

type WatchedPage = { page: Page; logged: string[]; asked: string[] }

/**
 * A test fails on any error in the console of its visitors' pages. If it fails, those that are open are left in
 * `.traces/<name of the test>`: as they look, and what they logged and asked for since the test before. Called before what
 * closes pages, and for a visitor after what closes theirs, since hooks run in their order.
 */
export function watchVisitors(): (visitor: BrowserContext) => void {
  const watched = new Set<WatchedPage>()
  const errors: string[] = []

  async function endTest(context: TestContext | SuiteContext): Promise<void> {
    const isFailed = 'passed' in context && !context.passed
    if (isFailed || errors.length > 0) await saveTraces(context.name, [...watched])
    for (const { logged, asked } of watched) logged.length = asked.length = 0
    failOnErrors()
  }

  function failOnErrors(): void {
    const found = errors.splice(0)
    if (found.length > 0) throw new Error(`Errors in the page: ${found.join('\n')}`)
  }

  function watchPage(page: Page): void {
    const one: WatchedPage = { page, logged: [], asked: [] }
    watched.add(one)
    page.on('close', () => watched.delete(one))
    page.on('console', (message) => one.logged.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => one.logged.push(String(error)))
    page.on('response', (answer) =>
      one.asked.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`),
    )
    page.on('requestfailed', (request) =>
      one.asked.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`),
    )
  }

  // Of a shop for a whole file, and of one that a test has opened for itself.
  afterEach(endTest)
  after(endTest)

  return (visitor) => {
    visitor.on('page', watchPage)
    visitor.on('weberror', (fault) => errors.push(String(fault.error())))
    visitor.on('console', (message) => {
      if (message.type() === 'error' && !expectedErrors.test(message.text()))
        errors.push(message.text())
    })
    // What pages log until they are closed.
    after(failOnErrors)
  }
}

async function saveTraces(test: string, watched: WatchedPage[]): Promise<void> {
  if (watched.length === 0) return
  const folder = await makeTraceFolder(test)
  for (const [index, { page, logged, asked }] of watched.entries()) {
    const file = join(folder, `page-${index + 1}`)
    await writeFile(`${file}-log.txt`, [page.url(), ...logged].join('\n'))
    await writeFile(`${file}-network.txt`, asked.join('\n'))
    // A page that hangs must not hide why the test failed.
    await page
      .screenshot({ path: `${file}.png`, timeout: patienceMs })
      .catch((error) => writeFile(`${file}-no-picture.txt`, String(error)))
  }
}
