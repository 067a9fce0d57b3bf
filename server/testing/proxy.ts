import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** A proxy that passes everything on, with these headers too. */
export async function startProxy(port: number, headers: Record<string, string>): Promise<string> {
  const proxy = createServer((incoming, response) => {
    const options = {
      port,
      path: incoming.url,
      method: incoming.method,
      headers: { ...incoming.headers, ...headers },
    }
    sendRequest(options, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    }).end()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  after(() => proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
