import type { FastifyInstance } from 'fastify'

/**
 * Search engines that run the scripts of a page keep to this for what the scripts ask for: a checkout that is only
 * looked at by one must not open a payment at SumUp. Pictures are for everybody.
 */
const robots = `User-agent: *
Allow: /api/objects/
Allow: /api/products/*/link-picture.jpg
Disallow: /api/
`

export function mountRobots(app: FastifyInstance): void {
  app.get('/robots.txt', { config: { access: 'public' } }, (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'max-age=3600' })
      .send(robots),
  )
}
