import type { CheckoutTexts } from './en.ts'

export const nl: CheckoutTexts = {
  contact: {
    title: 'Contact',
    required: 'verplicht',
    email: 'E-mail',
    didYouMean: 'Bedoel je {domain}?',
    news: 'Nieuws en aanbiedingen per e-mail ontvangen',
  },
  choice: {
    fewLeft: 'Nog maar {count} over',
    chosen: '{name}: {value}',
  },
  delivery: {
    title: 'Bezorging',
    keep: 'Gegevens bewaren voor de volgende keer',
    clear: 'Niet jij? Wissen',
    kept: 'Alleen op dit apparaat. Kaartgegevens worden nooit bewaard.',
    choose: 'Bezorgen of afhalen',
    ship: 'Bezorgen',
    pickup: 'Afhalen',
    pickupPhoneHint: 'Alleen voor vragen over het afhalen.',
  },
  fields: {
    optional: '(optioneel)',
    country: 'Land',
    chooseCountry: 'Kies een land',
    firstName: 'Voornaam',
    lastName: 'Achternaam',
    address: 'Straat en huisnummer',
    apartment: 'Toevoeging',
    city: 'Plaats',
    state: 'Staat/prov.',
    province: 'Provincie',
    prefecture: 'Prefectuur',
    county: 'County',
    region: 'Regio',
    emirate: 'Emiraat',
    stateHint: 'Nodig voor bezorging',
    zipCode: 'Postcode',
    postcode: 'Postcode',
    usuallyLike: 'Meestal: {example}',
    phone: 'Telefoon',
    phoneHint: 'Alleen voor vragen over de bezorging.',
    charactersLeft: 'Nog {count} tekens',
  },
  errors: {
    title: 'Er is een probleem',
    forBilling: '{error} (factuuradres)',
    inTitle: 'Fout: ',
    noEmail: 'Vul je e-mailadres in',
    email: 'Vul een e-mailadres in zoals naam@example.com',
    country: 'Kies een land',
    firstName: 'Vul een voornaam in',
    lastName: 'Vul een achternaam in',
    address: 'Vul een adres in',
    city: 'Vul een plaats in',
    state: 'Vul een staat of provincie in',
    zipCode: 'Vul een postcode in',
    postcode: 'Vul een postcode in',
    choice: 'Kies: {name}',
    note: 'Vul ‘{label}’ in',
    wrongField: 'Controleer dit veld.',
  },
  shipping: {
    title: 'Verzendmethode',
    addressFirst: 'Vul je adres in om te zien hoe er wordt bezorgd.',
    standard: 'Standaardverzending',
    ready: 'Verzendklaar',
    free: 'Gratis',
    calculating: 'wordt berekend…',
  },
  billing: {
    title: 'Factuuradres',
    same: 'Hetzelfde als het bezorgadres',
    other: 'Een ander factuuradres gebruiken',
    none: 'Geen factuuradres',
  },
  payment: {
    title: 'Betaling',
    card: 'Creditcard',
    secure: 'Veilig en versleuteld',
    charged: 'Bij het bestellen wordt {amount} van je kaart afgeschreven',
    testCards: 'Testkaarten',
    copy: '{text} kopiëren',
    succeeds: 'wordt geaccepteerd',
    asksForSecure: 'vraagt om 3-D Secure',
    testNote:
      'Elke datum in de toekomst en elke CVC. De meeste andere nummers worden geweigerd. Er wordt niets afgeschreven.',
    loading: 'Laden…',
    stillLoading: 'Blijft dit zo, dan is je verbinding verbroken. Laad deze pagina dan opnieuw.',
    confirming: 'We wachten op de bevestiging…',
    bankPage: 'Werkt de pagina van je bank hier niet?',
    leaveBankPage: 'Sluiten en op de bank wachten',
    notLoaded: 'Het betaalformulier is niet geladen.',
    checkConnection:
      'Controleer je verbinding, en of een adblocker dit formulier tegenhoudt. Probeer het daarna opnieuw.',
    needsCookies:
      'Je browser weigert cookies, die dit formulier nodig heeft. Sta ze hier toe en probeer het opnieuw.',
    tryAgain: 'Opnieuw proberen',
    needsScript: 'Het kaartformulier heeft JavaScript nodig.',
    due: 'Te betalen',
    pay: 'Bestelling met betalingsverplichting',
    processing: 'Wordt verwerkt…',
    provider:
      'Je kaartgegevens gaan rechtstreeks naar SumUp, onze betaalprovider. Deze webshop krijgt ze nooit te zien.',
  },
  connection: {
    lost: 'De webshop is nu niet bereikbaar.',
    typed:
      'Wat je hebt ingevuld blijft staan, en deze pagina gaat vanzelf verder zodra de verbinding terug is.',
    unsent: 'Je kaart is nog niet verstuurd. Deze pagina probeert het vanzelf opnieuw.',
    sent: 'Betaal niet nog een keer: deze pagina gaat vanzelf verder zodra de verbinding terug is.',
    noPayment:
      'De verbinding is verbroken, en er is geen betaling met je kaart aangekomen. Probeer het opnieuw.',
  },
  withdrawal: {
    notice: 'Je kunt deze aankoop binnen {days} dagen herroepen.',
    policy: 'Herroepingsrecht',
    notSent: 'Het versturen is niet gelukt. Controleer je verbinding en probeer het opnieuw.',
  },
  shop: {
    theShop: 'de webshop',
    questions: 'Vragen? Schrijf naar {shop}: {email}',
    questionsElsewhere:
      'Vragen? Je bereikt {shop} via de website of het bericht waar je de link vond.',
  },
  toasts: {
    region: 'Meldingen (F8)',
    close: 'Sluiten',
    lookAgain: 'Kijk het nog eens na',
    widgetError: 'Fout in het betaalformulier',
    widgetErrorText: 'Het betaalformulier is niet geladen. Vernieuw de pagina.',
    notReady: 'Betalen kan nog niet',
    notReadyText: 'Wacht tot het betaalformulier is geladen.',
    incomplete: 'Vul alle verplichte velden in',
    incompleteText: 'Vul alle verplichte gegevens in voordat je betaalt.',
    submissionFailed: 'Versturen van de betaling mislukt',
    submissionFailedText: 'Probeer het opnieuw of vernieuw de pagina.',
    orderFailed: 'Bestelling mislukt',
    orderFailedText: 'De bestelling kon niet worden aangemaakt. Probeer het opnieuw.',
    paymentFailed: 'Betaling mislukt',
    paymentFailedText: 'Controleer je kaartgegevens en probeer het opnieuw.',
    expiredText:
      'Het betaalformulier was verlopen en er is niets afgeschreven. Probeer het opnieuw.',
    expiredUnknownText: 'Het betaalformulier was verlopen. Probeer het opnieuw.',
  },
  panels: {
    atBank: {
      title: 'Je bank controleert de betaling',
      confirm:
        'Bevestig de betaling daar, bijvoorbeeld in je bankapp. Je hoeft niet nog een keer te betalen: zodra je bank akkoord gaat, wordt je bestelling vanzelf geplaatst.',
      goesOn: 'Deze pagina gaat verder zodra je bank heeft geantwoord.',
      button: 'Niet afgerond bij mijn bank',
      stillThere:
        'Deze betaling ligt nog bij je bank, dus we kunnen nog geen nieuw formulier openen. Rond de betaling daar af of wacht even: deze pagina gaat vanzelf verder.',
      unavailable: 'Dat lukte even niet. Probeer het zo nog eens.',
    },
    confirming: {
      title: 'Wordt verwerkt…',
      text: 'We wachten op de bevestiging van je betaling. Houd deze pagina nog even open.',
    },
    delayed: {
      title: 'Je betaling is nog niet bevestigd',
      text: 'De bevestiging duurt langer dan normaal. Betaal niet nog een keer: als er geld van je kaart is afgeschreven, wordt je bestelling vanzelf geplaatst.',
      close:
        'Je kunt deze pagina open laten staan, dan gaat die vanzelf verder. Je kunt haar ook sluiten: opnieuw geopend in deze browser leidt ze naar je bestelling zodra die er is.',
    },
    orderRefused: {
      title: 'Je bestelling kon niet worden aangemaakt',
      text: 'Je kaartgegevens zijn verstuurd en er wordt geen tweede keer van je kaart afgeschreven. Probeer opnieuw om de bestelling aan te maken.',
    },
    notFound: {
      title: 'We kunnen deze betaling vanaf hier niet volgen',
      why: 'Er zijn cookies gewist, de betaling is in een andere browser begonnen of de webshop heeft er geen gegevens over.',
      before:
        'Controleer voordat je opnieuw betaalt of er geld van je kaart is afgeschreven. Is dat zo en heb je geen bevestiging van een bestelling, schrijf dan naar de webshop.',
      sure: 'Als je zeker weet dat je niet hebt betaald, kun je opnieuw beginnen.',
      button: 'Opnieuw beginnen',
    },
    tooManyCards: {
      title: 'Betalen met kaart kan nu even niet',
      text: 'Van een geweigerde kaart wordt niets afgeschreven. Wat je hier hebt ingevuld, blijft bewaard: laad deze pagina later opnieuw, dan is het kaartformulier er weer.',
    },
    notSold: {
      title: 'Dit product wordt niet meer verkocht',
      paused: 'Nu niet te koop',
      soldOut: 'Uitverkocht',
      text: 'Je kaartgegevens zijn niet verstuurd en er is niets afgeschreven.',
      unknownText:
        'Je kaartgegevens zijn deze keer niet verstuurd. Als er bij de vorige poging geld van je kaart is afgeschreven, ziet de webshop die betaling vanzelf.',
    },
    review: {
      paid: 'We hebben je betaling ontvangen',
      paidText:
        'Je betaling is binnen en de webshop bekijkt die voordat de bestelling verdergaat. Je hoeft niet nog een keer te betalen.',
      paidWithoutDetails:
        'Je betaling is binnen, maar we weten nog niet waar je bestelling heen moet. Schrijf naar de webshop, zodat je bestelling verder kan. Je hoeft niet nog een keer te betalen.',
      uncertain: 'Je betaling wordt bekeken',
      uncertainText:
        'Het is nog niet zeker of er geld van je kaart is afgeschreven, dus de webshop zoekt dat uit. Betaal tot die tijd niet nog een keer.',
      whoWrites:
        'De webshop kan je schrijven op het e-mailadres dat je hebt opgegeven. Heb je er nog geen opgegeven, schrijf dan naar de webshop.',
      returned: 'Je betaling is teruggestort',
      returnedText:
        'Dat gebeurde voordat er een bestelling was aangemaakt, dus er wordt niets verzonden. Had je dit niet verwacht, schrijf dan naar de webshop.',
      dismissed: 'Bij deze betaling is geen bestelling aangemaakt',
      dismissedText:
        'De webshop heeft deze betaling bekeken en geen bestelling aangemaakt. Heb je een vraag, schrijf dan naar de webshop.',
    },
  },
  refusals: {
    'product-missing': 'Product niet gevonden',
    'page-outdated': 'Dit product is zojuist gewijzigd. Bekijk de pagina nog een keer.',
    'product-paused':
      'De webshop heeft de verkoop van dit product gepauzeerd. Kom later nog eens terug.',
    'sold-out': 'Alle exemplaren zijn verkocht of worden nu door anderen betaald.',
    'choice-missing': 'Kies een van de mogelijkheden.',
    'choice-gone': 'Je keuze is gewijzigd of wordt niet meer aangeboden. Kies opnieuw.',
    'value-sold-out': 'Je keuze is verkocht of wordt nu door anderen betaald. Kies opnieuw.',
    'note-needed': 'Dit product heeft een tekst van jou nodig. Bekijk de pagina nog een keer.',
    'not-delivered': 'De webshop biedt dit land of deze afhaalplek niet aan. Kies opnieuw.',
    'price-changed': 'De prijs is veranderd. Bekijk die nog een keer.',
    'price-without-cents':
      'Dit product kan niet worden betaald, omdat de valuta geen centen heeft. Laat het de webshop weten.',
    'price-not-payable':
      'Dit product kan met deze prijs en valuta niet met kaart worden betaald. Laat het de webshop weten.',
    'mode-changed':
      'Deze webshop heeft net de manier van betalen gewijzigd. Bekijk de pagina nog een keer.',
    'payments-away': 'Betalen met kaart kan nu even niet. Probeer het zo nog eens.',
    'too-many-checkouts':
      'Er zijn vanaf hier te veel betalingen begonnen. Wacht een paar minuten en probeer het opnieuw.',
    'too-many-holds':
      'Er zijn vanaf hier meerdere betalingen hiervoor begonnen en niet afgemaakt. Probeer het over een uur opnieuw, of neem contact op met de winkel.',
    'too-many-cards':
      'Er zijn te veel kaarten geweigerd. Wacht een tijdje of neem contact op met de webshop.',
    'too-many-requests': 'Te veel verzoeken. Wacht even en probeer het opnieuw.',
    'request-timeout': 'Het verzoek kwam niet op tijd aan. Probeer het opnieuw.',
    unexpected: 'Er ging bij ons iets mis. Probeer het opnieuw.',
    unavailable: 'De webshop is nu niet bereikbaar. Probeer het zo meteen opnieuw.',
  },
}
