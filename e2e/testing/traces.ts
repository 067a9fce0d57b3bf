import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, type SuiteContext, type TestContext } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'

const screenshotTimeoutMs = 10_000

/** An empty folder for what this test leaves. */
export async function makeTraceFolder(test: string): Promise<string> {
  const folder = join('.traces', test.replaceAll(/[^\w]+/g, '-').slice(0, 80))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  process.stdout.write(`Traces of "${test}": ${folder}\n`)
  return folder
}

/**
 * If a test fails, the open pages of its visitors are left in `.traces/<name of the test>`: as they look, what they
 * logged and what they asked for. Called before what closes pages, since hooks run in their order.
 */
export function keepTraces(): (visitor: BrowserContext) => void {
  const watched: { page: Page; logged: string[]; asked: string[] }[] = []

  async function save(context: TestContext | SuiteContext): Promise<void> {
    if (!('passed' in context) || context.passed) return
    const open = watched.filter(({ page }) => !page.isClosed())
    if (open.length === 0) return
    const folder = await makeTraceFolder(context.name)
    for (const [index, { page, logged, asked }] of open.entries()) {
      const file = join(folder, `page-${index + 1}`)
      await writeFile(`${file}-log.txt`, [page.url(), ...logged].join('\n'))
      await writeFile(`${file}-network.txt`, asked.join('\n'))
      // A page that hangs must not hide why the test failed.
      await page
        .screenshot({ path: `${file}.png`, timeout: screenshotTimeoutMs })
        .catch((error) => writeFile(`${file}-no-picture.txt`, String(error)))
    }
  }
  // Of a shop for a whole file, and of one that a test has opened for itself.
  afterEach(save)
  after(save)

  return (visitor) => void visitor.on('page', watch)

  function watch(page: Page): void {
    const trace = { page, logged: [] as string[], asked: [] as string[] }
    watched.push(trace)
    page.on('console', (message) => trace.logged.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => trace.logged.push(String(error)))
    page.on('response', (answer) =>
      trace.asked.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`),
    )
    page.on('requestfailed', (request) =>
      trace.asked.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`),
    )
  }
}
