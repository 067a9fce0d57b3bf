import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { adminPages, pages } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { isApiCall, sendRefusal } from './answer-errors.ts'
import { allowPage } from './security-headers.ts'
import type { WebFiles } from './web-files.ts'

/** The pages people see. What is not in the list of pages is 'Page Not Found', with that status. */
export async function mountPages(app: FastifyInstance, web: WebFiles): Promise<void> {
  await app.register(staticFiles, {
    root: web.assetsFolder,
    serve: false,
    index: false,
    preCompressed: true,
  })
  const files = { config: { access: 'public', isFile: true }, compress: false } as const
  app.get<{ Params: { '*': string } }>('/assets/*', files, (request, reply) =>
    reply.sendFile(request.params['*'], { immutable: true, maxAge: '1y' }),
  )

  for (const path of [pages.login, ...adminPages]) {
    app.get(path, { config: { access: 'backoffice' } }, (_request, reply) => {
      const { nonce } = allowPage(reply)
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(web.adminPage(nonce))
    })
  }
}

/** Unknown calls are told so in JSON, unknown pages with a page. */
export function answerUnknownPaths(app: FastifyInstance, web: WebFiles | undefined): void {
  app.setNotFoundHandler((request, reply) => {
    if (!web || isApiCall(request)) return sendRefusal(reply, new Refusal('call-missing'))
    allowPage(reply)
    return reply.code(404).type('text/html; charset=utf-8').send(web.notFoundPage)
  })
}
