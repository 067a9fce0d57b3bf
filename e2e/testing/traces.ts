import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, type SuiteContext, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'

const screenshotTimeoutMs = 10_000

export const traceFolderOf = (test: string) =>
  join('.traces', test.replaceAll(/[^\w]+/g, '-').slice(0, 80))

/**
 * If a test fails, its open pages are left in `.traces/<name of the test>`: as they look, what they logged and what they
 * asked for. Called before what closes pages, since hooks run in their order.
 */
export function keepTraces(): (page: Page) => void {
  const watched: { page: Page; logged: string[]; asked: string[] }[] = []

  async function save(context: TestContext | SuiteContext): Promise<void> {
    if (!('passed' in context) || context.passed) return
    const open = watched.filter(({ page }) => !page.isClosed())
    if (open.length === 0) return
    const folder = traceFolderOf(context.name)
    await mkdir(folder, { recursive: true })
    for (const [index, { page, logged, asked }] of open.entries()) {
      const file = join(folder, `page-${index + 1}`)
      await writeFile(`${file}-log.txt`, [page.url(), ...logged].join('\n'))
      await writeFile(`${file}-network.txt`, asked.join('\n'))
      // A page that hangs must not hide why the test failed.
      await page
        .screenshot({ path: `${file}.png`, timeout: screenshotTimeoutMs })
        .catch((error) => writeFile(`${file}-no-picture.txt`, String(error)))
    }
    process.stdout.write(`Traces of "${context.name}": ${folder}\n`)
  }
  // Of a shop for a whole file, and of one that a test has opened for itself.
  afterEach(save)
  after(save)

  return (page) => {
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
