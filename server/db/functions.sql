-- What the tables need before they are made: it comes first in the initial migration.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Ignores case beyond ASCII too, whatever locale the database was created with.
DO $choose$
DECLARE
	is_utf8 boolean := getdatabaseencoding() = 'UTF8';
	letters text := coalesce((
		SELECT format('pg_catalog.%I', collname) FROM pg_collation
		WHERE collnamespace = 'pg_catalog'::regnamespace
			AND (collname = 'pg_c_utf8' AND is_utf8 OR collname = 'und-x-icu')
		ORDER BY collname LIMIT 1), 'pg_catalog."default"');
BEGIN
	EXECUTE format(
		'CREATE FUNCTION order_fold(words text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE '
		'RETURN lower((%s) COLLATE %s)',
		CASE WHEN is_utf8 THEN 'normalize(words, NFC)' ELSE 'words' END, letters);
END
$choose$;
--> statement-breakpoint
-- The column search_text of orders. Immutable, although concat_ws is only stable: that is for types whose text depends on
-- settings, which none of these does.
CREATE FUNCTION order_search_text(
	id uuid, number integer, email text, name text, product jsonb, note text, phone text, address jsonb, amount numeric)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN order_fold(concat_ws(E'\n',
	id, email, name, product ->> 'name', product -> 'choice' ->> 'value', note,
	address ->> 'address', address ->> 'apartment', address ->> 'city',
	regexp_replace(address ->> 'postcode', '\s', '', 'g'),
	regexp_replace(phone, '\s', '', 'g'),
	regexp_replace(phone, '\D', '', 'g'),
	-- The phone of the address is another one only if it was corrected.
	CASE WHEN address ->> 'phone' <> coalesce(phone, '') THEN regexp_replace(address ->> 'phone', '\s', '', 'g') END,
	CASE WHEN address ->> 'phone' <> coalesce(phone, '') THEN regexp_replace(address ->> 'phone', '\D', '', 'g') END,
	amount, number));
