import type { Country } from '#contract/countries.ts'

/** Where demo buyers live: true cities with their postcodes, street names that every town has. Lists by comma. */
export type DemoPlace = {
  country: Country
  firstNames: string
  lastNames: string
  /** city / postcode / state, where addresses have one */
  cities: string
  streets: string
  writeStreet: 'number first' | 'number last'
  /** # becomes a number. */
  apartment: string
  /** Ranges that are kept for films and books, or look like it; x becomes a digit. */
  phone: string
}

/** In the order of their share of the sales. */
export const demoPlaces: readonly [DemoPlace, ...DemoPlace[]] = [
  {
    country: 'Germany',
    firstNames:
      'Anna, Jonas, Lena, Paul, Emilia, Felix, Käthe, Jürgen, Sophie, Maximilian, Greta, Björn',
    lastNames:
      'Müller, Schmidt, Schneider, Fischer, Weber, Wagner, Becker, Hoffmann, Schäfer, Köhler, Yılmaz, Groß',
    cities:
      'Berlin / 10115, Hamburg / 20095, München / 80331, Köln / 50667, Leipzig / 04109, Dresden / 01069, Freiburg / 79098',
    streets: 'Lindenstraße, Hauptstraße, Gartenweg, Schillerstraße, Bahnhofstraße, Am Mühlbach',
    writeStreet: 'number last',
    apartment: '#. OG',
    phone: '+49 30 23125 xxx',
  },
  {
    country: 'France',
    firstNames: 'Camille, Louis, Chloé, Hugo, Inès, Gabriel, Zoé, Théo, Manon, François',
    lastNames:
      'Martin, Bernard, Dubois, Moreau, Lefèvre, Garcia, Rousseau, Fournier, Benoît, N’Diaye',
    cities:
      'Paris / 75011, Lyon / 69002, Marseille / 13006, Nantes / 44000, Strasbourg / 67000, Nice / 06000',
    streets:
      'rue de la République, rue Victor Hugo, avenue Jean Jaurès, rue des Lilas, impasse du Moulin',
    writeStreet: 'number first',
    apartment: '#e étage',
    phone: '+33 1 99 00 xx xx',
  },
  {
    country: 'Netherlands',
    firstNames: 'Daan, Emma, Sem, Julia, Lotte, Bram, Fleur, Ruben, Noor, Thijs',
    lastNames: 'de Jong, Jansen, de Vries, van den Berg, Bakker, Visser, Smit, Meijer, van ’t Hof',
    cities:
      'Amsterdam / 1012 AB, Rotterdam / 3011 AD, Utrecht / 3511 EN, Groningen / 9711 LM, Eindhoven / 5611 AZ',
    streets: 'Kerkstraat, Molenweg, Dorpsstraat, Julianalaan, Prinsengracht',
    writeStreet: 'number last',
    apartment: '# hoog',
    phone: '+31 20 000 xx xx',
  },
  {
    country: 'United Kingdom',
    firstNames: 'Oliver, Amelia, George, Isla, Harry, Freya, Siân, Callum, Poppy, Rhys',
    lastNames: 'Smith, Jones, Taylor, Brown, Williams, Evans, Patel, O’Connor, MacLeod, Hughes',
    cities:
      'London / E8 3RL / England, Manchester / M4 1HQ / England, Edinburgh / EH3 6TL / Scotland, Cardiff / CF10 1EP / Wales, Bristol / BS1 4DJ / England',
    streets: 'High Street, Station Road, Church Lane, Victoria Road, Mill Lane',
    writeStreet: 'number first',
    apartment: 'Flat #',
    phone: '+44 7700 900xxx',
  },
  {
    country: 'Italy',
    firstNames: 'Giulia, Leonardo, Aurora, Francesco, Sofia, Lorenzo, Niccolò, Chiara, Matteo',
    lastNames: 'Rossi, Russo, Ferrari, Bianchi, Romano, Colombo, Ricci, D’Angelo, Lo Presti',
    cities:
      'Milano / 20121 / MI, Roma / 00184 / RM, Torino / 10121 / TO, Bologna / 40121 / BO, Firenze / 50122 / FI',
    streets: 'Via Roma, Via Garibaldi, Corso Italia, Via Dante, Piazza San Marco',
    writeStreet: 'number last',
    apartment: 'Int. #',
    phone: '+39 02 0000 xxxx',
  },
  {
    country: 'Belgium',
    firstNames: 'Arthur, Louise, Noah, Elise, Wout, Marie, Jef, Céline',
    lastNames: 'Peeters, Janssens, Maes, Jacobs, Mertens, Dupont, Lambert, Van Damme',
    cities: 'Bruxelles / 1000, Antwerpen / 2000, Gent / 9000, Liège / 4000, Leuven / 3000',
    streets: 'Nieuwstraat, Stationsstraat, Rue Haute, Kerkplein, Avenue Louise',
    writeStreet: 'number last',
    apartment: 'Bus #',
    phone: '+32 2 000 xx xx',
  },
  {
    country: 'United States',
    firstNames: 'Emma, Liam, Olivia, Mason, Ava, Ethan, Harper, José, Grace',
    lastNames: 'Johnson, Miller, Davis, Garcia, Rodriguez, Wilson, Nguyen, Kim, Anderson',
    cities:
      'Portland / 97205 / OR, Austin / 78701 / TX, Brooklyn / 11211 / NY, Boston / 02116 / MA, Denver / 80202 / CO',
    streets: 'Maple Street, Oak Avenue, Main Street, Cedar Lane, Washington Boulevard',
    writeStreet: 'number first',
    apartment: 'Apt #',
    phone: '+1 503 555 01xx',
  },
  {
    country: 'Canada',
    firstNames: 'Olivia, Liam, Charlotte, William, Léa, Zoé, Owen, Émile',
    lastNames: 'Tremblay, Roy, Gagnon, MacDonald, Singh, Bouchard, Campbell, Côté',
    cities:
      'Montréal / H2X 1Y4 / QC, Toronto / M5V 2T6 / ON, Vancouver / V6B 1A1 / BC, Québec / G1R 4S9 / QC',
    streets: 'rue Saint-Denis, Queen Street, King Street, Elm Street, chemin du Lac',
    writeStreet: 'number first',
    apartment: 'Apt #',
    phone: '+1 604 555 01xx',
  },
]
