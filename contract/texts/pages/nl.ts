import type { CheckoutTexts, MethodTexts, PageTexts, PriceTexts, WithdrawalTexts } from './en.ts'

export const checkout: CheckoutTexts = {
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

export const methods: MethodTexts = {
  otherWays: 'Andere betaalmethoden',
  backToCard: 'Terug naar kaart',
  obliges: 'Door te betalen plaats je een bestelling met betalingsverplichting.',
  replaced: 'Contact of bezorging is in een ander tabblad gewijzigd. Bekijk die nog een keer.',
  noPayment:
    'Er is geen betaling binnengekomen. Probeer het opnieuw of betaal op een andere manier.',
  instead: {
    payment: {
      provider:
        'Je betaling gaat rechtstreeks naar SumUp, onze betaalprovider. Deze webshop krijgt de gegevens van je kaart of rekening nooit te zien.',
      bankPage: 'Gaat de betaling hier niet verder?',
      leaveBankPage: 'Sluiten en op de betaling wachten',
    },
    connection: {
      unsent:
        'Er is nog niets voor een betaling verstuurd. Deze pagina probeert het vanzelf opnieuw.',
      noPayment:
        'De verbinding is verbroken en er is geen betaling binnengekomen. Probeer het opnieuw.',
    },
    toasts: {
      paymentFailedText: 'Probeer het opnieuw of kies een andere betaalmethode.',
    },
    refusals: {
      'price-not-payable':
        'Dit product kan met deze prijs en valuta niet worden betaald. Laat het de webshop weten.',
      'payments-away': 'Betalen kan nu even niet. Probeer het zo nog eens.',
      'too-many-cards':
        'Er zijn te veel betalingen geweigerd of afgebroken. Wacht een tijdje of neem contact op met de webshop.',
    },
    panels: {
      tooManyCards: {
        title: 'Betalen kan nu even niet',
        text: 'Van een geweigerde betaling wordt niets afgeschreven. Wat je hier hebt ingevuld, blijft bewaard: laad deze pagina later opnieuw, dan is het betaalformulier er weer.',
      },
      atBank: {
        title: 'Je betaling is nog niet bevestigd',
        confirm:
          'Rond de betaling af waar je betaalt, bijvoorbeeld in de app van je bank. Je hoeft niet nog een keer te betalen: zodra de betaling is bevestigd, wordt je bestelling vanzelf geplaatst.',
        goesOn: 'Deze pagina gaat verder zodra de betaling is bevestigd.',
        button: 'Ik heb de betaling niet afgerond',
        stillThere:
          'Deze betaling loopt nog, dus we kunnen nog geen nieuw formulier openen. Rond de betaling af of wacht even: deze pagina gaat vanzelf verder.',
      },
      delayed: {
        text: 'De bevestiging duurt langer dan normaal. Betaal niet nog een keer: als er geld is afgeschreven, wordt je bestelling vanzelf geplaatst.',
      },
      orderRefused: {
        text: 'Je betaling is verstuurd en er wordt geen tweede keer afgeschreven. Probeer opnieuw om de bestelling aan te maken.',
      },
      notFound: {
        before:
          'Controleer voordat je opnieuw betaalt of er geld is afgeschreven. Is dat zo en heb je geen bevestiging van een bestelling, schrijf dan naar de webshop.',
      },
      notSold: {
        text: 'Je betaling is niet verstuurd en er is niets afgeschreven.',
        unknownText:
          'Je betaling is deze keer niet verstuurd. Als er bij de vorige poging geld is afgeschreven, ziet de webshop die betaling vanzelf.',
      },
      review: {
        uncertainText:
          'Het is nog niet zeker of er geld is afgeschreven, dus de webshop zoekt dat uit. Betaal tot die tijd niet nog een keer.',
      },
    },
  },
}

export const prices: PriceTexts = {
  discount: 'Korting ({code})',
  pickup: 'Afhalen',
  plusShipping: '{amount} + verzending',
  countryFirst: 'Kies hierboven een land om de verzendkosten te zien. Daarna kun je hier betalen.',
  announced: 'Verzending: {shipping}. Totaal: {total}.',
  refusals: {
    'country-needed': 'De verzendkosten hangen af van het land. Kies er een.',
    'terms-changed': 'Deze prijs gold voor een andere bezorging. Bekijk die nog een keer.',
    'code-unknown': 'De kortingscode is niet meer geldig. Bekijk de prijs zonder die code.',
    'code-used-up': 'De kortingscode is door anderen opgebruikt. Bekijk de prijs zonder die code.',
  },
}

export const pages: PageTexts = {
  titles: {
    checkout: '{product} · Afrekenen',
    paused: '{product} · Gepauzeerd',
    soldOut: '{product} · Uitverkocht',
    thankYou: 'Bedankt! · {shop}',
  },
  language: 'Taal',
  checkout: {
    title: 'Afrekenen',
    testMode: 'Testmodus',
    needsScript: 'Om hier te betalen is JavaScript nodig. Zet het aan en laad deze pagina opnieuw.',
    summary: 'Besteloverzicht',
    showSummary: 'Besteloverzicht tonen',
    hideSummary: 'Besteloverzicht verbergen',
    quantity: 'Aantal: {count}',
    fewLeft: 'Nog maar {count} over',
    subtotal: 'Subtotaal',
    shipping: 'Verzending',
    free: 'Gratis',
    total: 'Totaal',
    codeNotValid:
      'De kortingscode in de link is niet geldig voor deze aankoop. De prijs staat er zonder korting.',
  },
  recent: {
    label: 'Je laatste bestelling',
    justNow: 'Je hebt dit zojuist gekocht.',
    oneMinute: 'Je hebt dit 1 minuut geleden gekocht.',
    minutes: 'Je hebt dit {minutes} minuten geleden gekocht.',
    isTest: 'Het was een testbestelling: er is geen geld afgeschreven.',
    isPaid: 'Het is betaald, je hoeft niet nog een keer te betalen.',
    see: 'Bekijk je bestelling',
  },
  footer: {
    newTab: '(opent in een nieuw tabblad)',
    close: 'Sluiten',
    thisShop: 'deze webshop',
    atStart: 'Deze webshop',
    writeTo: 'Schrijf naar {email}.',
    reach: 'Je bereikt {shop} via de website of het bericht waar je de link vond.',
    refund: 'Terugbetalingen',
    refundTexts: [
      'Als er iets mis is met je bestelling, hoort {shop} dat graag. {contact}',
      'Vermeld je bestelnummer; dat staat op de pagina na je aankoop en in elke e-mail over je bestelling. {refunds} Je wettelijke rechten blijven gewoon gelden.',
    ],
    refundsToCard: 'Terugbetalingen gaan naar de kaart waarmee is betaald.',
    refundsOtherwise: 'Terugbetalingen gaan terug via de manier waarop is betaald.',
    shipping: 'Verzendvoorwaarden',
    shippingTexts: [
      '{theShop} stuurt je bestelling met standaardverzending naar het adres dat je hier invult. Verzending is gratis.',
      'Vragen over je bezorging? {contact}',
    ],
    pricedShippingTexts: [
      '{theShop} stuurt je bestelling met standaardverzending naar het adres dat je hier invult. Wat de verzending kost, zie je voordat je betaalt.',
      'Vragen over je bezorging? {contact}',
    ],
    pickupText: 'Je kunt je bestelling hier afhalen: {place}',
    privacy: 'Privacybeleid',
    privacyTexts: [
      '{theShop} gebruikt wat je hier invult om je bestelling te verwerken en te bezorgen en om je erover te schrijven. Nieuws krijg je alleen als je erom vraagt.',
      'Je kaartgegevens gaan rechtstreeks naar SumUp, de betaalprovider. De webshop ziet en bewaart ze niet. Als je ervoor kiest je gegevens te bewaren, blijven ze op dit apparaat.',
      'Wil je inzien, verbeteren of laten verwijderen wat er over je wordt bewaard? {contact}',
    ],
    terms: 'Algemene voorwaarden',
    termsTexts: [
      'Door te betalen bestel je het hier getoonde product bij {shop} voor het hier getoonde totaal. De overeenkomst komt tot stand wanneer de betaling is bevestigd{mailed}.',
      'Vragen? {contact}',
    ],
    termsMailed: '; je krijgt daarover een e-mail',
    contact: 'Contact',
    contactTexts: ['Je koopt bij {shop}. Er is hier geen e-mailadres vermeld. {contact}'],
    imprint: 'Bedrijfsgegevens',
    vatNumber: 'Btw-nummer: {number}',
  },
  missing: {
    'Product not found': 'Product niet gevonden',
    'Order not found': 'Bestelling niet gevonden',
    'Page Not Found': 'Pagina niet gevonden',
    productReason:
      'Dit product wordt niet meer verkocht of de link is niet compleet. Vraag de webshop die je de link stuurde om een nieuwe.',
    orderReason: 'Er is geen bestelling op dit adres. Controleer of de link compleet is.',
    lostOrderReason:
      'De webshop is uit een back-up hersteld en kent de laatste bestellingen misschien nog niet. Heb je betaald, dan hoef je niet nog een keer te betalen: schrijf naar de webshop, zodat die je bestelling kan opzoeken.',
    pageReason:
      'Er is niets op dit adres. Controleer of de link compleet is of vraag de webshop die je de link stuurde om een nieuwe.',
  },
  paused: {
    title: 'Nu niet te koop',
    text: 'De webshop heeft de verkoop van {product} gepauzeerd. Kom later nog eens terug. Als je net hebt betaald, gaat je bestelling gewoon door.',
  },
  soldOut: {
    title: 'Uitverkocht',
    text: 'Alle exemplaren van {product} zijn verkocht of worden nu door anderen betaald. Als je net hebt betaald, gaat je bestelling gewoon door.',
  },
  problem: 'Deze pagina is nu niet beschikbaar',
  thankYou: {
    yourOrder: 'Je bestelling',
    title: 'Bedankt!',
    confirmed: 'Je bestelling is bevestigd',
    mailSent: 'Er is een bevestigingsmail onderweg naar {email}',
    mailOfTest: 'Omdat dit een test is, gaat er geen bevestigingsmail naar {email}',
    noMails: 'Deze winkel verstuurt geen e-mails. Bewaar het adres van deze pagina.',
    testOrder: 'Testbestelling:',
    testNote: 'er is geen geld afgeschreven, er wordt niets bezorgd.',
    orderNumber: 'Bestelnummer',
    copyOrderNumber: 'Bestelnummer kopiëren',
    status: 'Status',
    date: 'Datum',
    parcel: 'Pakket',
    copyTracking: 'Trackingnummer kopiëren',
    track: 'Volg je pakket',
    shippingAddress: 'Bezorgadres',
    pickupAt: 'Afhalen bij',
    pickupHours: 'Openingstijden',
    billingAddress: 'Factuuradres',
    paymentMethod: 'Betaalmethode',
    card: 'Kaart',
    preparing: 'In voorbereiding',
    onItsWay: 'Onderweg',
    readyForPickup: 'Klaar om af te halen',
    completed: 'Afgerond',
    vat: 'Inclusief {rate}% btw',
    sellersVatNumber: 'Btw-nummer {number}',
    print: 'Printen',
    changedYourMind: 'Van gedachten veranderd?',
    next: 'Hoe nu verder?',
    done: '(klaar)',
    steps: {
      paid: 'De webshop heeft je bestelling en je betaling ontvangen',
      unpaid: 'De webshop heeft je bestelling ontvangen',
      packed: 'Je bestelling wordt klaargemaakt en ingepakt',
      sent: 'Je pakket is onderweg met standaardverzending',
      pickup: 'Je kunt je bestelling afhalen',
    },
    testSteps: {
      paid: 'De webshop heeft je testbestelling, en geen betaling',
      packed: 'Een echte bestelling zou nu worden klaargemaakt en ingepakt',
      sent: 'Een echt pakket zou daarna onderweg zijn met standaardverzending',
      pickup: 'Een echte bestelling zou daarna kunnen worden afgehaald',
    },
  },
  returned: {
    titles: {
      refund: 'Je bestelling is terugbetaald',
      chargeback: 'Je betaling is teruggeboekt',
      both: 'Je betaling is terugbetaald en teruggeboekt',
    },
    labels: {
      refund: 'Terugbetaald',
      chargeback: 'Teruggeboekt',
      both: 'Terugbetaald en teruggeboekt',
    },
    refunded:
      'Er is {amount} teruggestort op je kaart. Het kan een paar dagen duren voordat je kaartafschrift dat laat zien.',
    chargedBack: 'Je bank heeft {amount} teruggehaald bij de webshop.',
    refundedOtherwise:
      'Er is {amount} teruggestort via de manier waarop je hebt betaald. Het kan een paar dagen duren voordat je het daar ziet.',
    chargedBackOtherwise: 'Je bank of betaaldienst heeft {amount} teruggehaald bij de webshop.',
  },
  withdrawal: {
    here: 'Overeenkomst hier herroepen',
    confirm: 'Herroeping bevestigen',
    policy: 'Herroepingsrecht',
    received: 'Je herroeping is ontvangen',
    which: 'Laat ons weten welke aankoop je herroept. Je hoeft geen reden te geven.',
    name: 'Je naam',
    orderNumber: 'Bestelnummer',
    orderNumberHint: 'Het staat op de pagina na je aankoop en in elke e-mail daarover.',
    email: 'E-mail',
    emailHint: 'Het adres waarmee je hebt gekocht.',
    continue: 'Doorgaan',
    change: 'Gegevens wijzigen',
    aboutToState: 'Je gaat verklaren:',
    statement: 'Hierbij herroep ik mijn koopovereenkomst betreffende bestelling {orderNumber}.',
    receivedText:
      'We hebben je herroeping ontvangen op {receivedAt}. We bevestigen de ontvangst per e-mail aan {email}, met inhoud, datum en tijd, tenzij er in het afgelopen uur te veel van deze e-mails zijn verstuurd.',
    receivedTestText:
      'We hebben je herroeping ontvangen op {receivedAt}. We bevestigen de ontvangst per e-mail aan {email} alleen als nummer en adres bij een bestelling horen die geen test was, en niet als er in het afgelopen uur te veel van deze e-mails zijn verstuurd.',
    receivedUnmailedText:
      'We hebben je herroeping ontvangen op {receivedAt}. Deze winkel verstuurt geen e-mails: bewaar een kopie van deze pagina.',
  },
}

/** With the law's own "u", where the rest of the shop says "je". */
export const withdrawal: WithdrawalTexts = {
  theShop: 'de webshop',
  confirmed: ' Wij bevestigen u dan onverwijld per e-mail dat wij uw herroeping hebben ontvangen.',
  instructions: [
    'U heeft het recht om binnen een termijn van 14 dagen zonder opgave van redenen de overeenkomst te herroepen. De herroepingstermijn verstrijkt 14 dagen na de dag waarop u of een door u aangewezen derde, die niet de vervoerder is, het goed fysiek in bezit krijgt.',
    'Om het herroepingsrecht uit te oefenen, moet u ons ({seller}) via een ondubbelzinnige verklaring (bijvoorbeeld schriftelijk per post of e-mail) op de hoogte stellen van uw beslissing de overeenkomst te herroepen. U kunt hiervoor gebruikmaken van het onderstaande modelformulier voor herroeping, maar bent hiertoe niet verplicht.',
    'U kunt de overeenkomst ook online herroepen: kies “{here}” onderaan de pagina waar u heeft gekocht of op de pagina van uw bestelling.{confirmed}',
    'Om de herroepingstermijn na te leven volstaat het om uw mededeling betreffende uw uitoefening van het herroepingsrecht te verzenden voordat de herroepingstermijn is verstreken.',
    'Als u de overeenkomst herroept, ontvangt u alle betalingen die u tot op dat moment heeft gedaan, inclusief de kosten van standaardlevering, onverwijld en in ieder geval niet later dan 14 dagen nadat wij op de hoogte zijn gesteld van uw beslissing de overeenkomst te herroepen, van ons terug. Wij betalen u terug met hetzelfde betaalmiddel als waarmee u de oorspronkelijke transactie heeft verricht, tenzij u uitdrukkelijk anderszins heeft ingestemd; in ieder geval zullen u voor zulke terugbetaling geen kosten in rekening worden gebracht. Wij mogen wachten met terugbetaling tot wij de goederen hebben teruggekregen, of u heeft aangetoond dat u de goederen heeft teruggezonden, al naar gelang welk tijdstip eerst valt.',
    'U dient de goederen onverwijld, doch in ieder geval niet later dan 14 dagen na de dag waarop u het besluit de overeenkomst te herroepen aan ons heeft medegedeeld, aan ons terug te zenden of te overhandigen. U bent op tijd als u de goederen terugstuurt voordat de termijn van 14 dagen is verstreken. De directe kosten van het terugzenden van de goederen komen voor uw rekening. U bent alleen aansprakelijk voor de waardevermindering van de goederen die het gevolg is van het gebruik van de goederen, dat verder gaat dan nodig is om de aard, de kenmerken en de werking van de goederen vast te stellen.',
    'Er is geen herroepingsrecht voor goederen die volgens uw specificaties zijn vervaardigd of duidelijk voor een specifieke persoon zijn bestemd, en ook niet voor goederen die snel bederven of een beperkte houdbaarheid hebben.',
  ],
  form: [
    'Modelformulier voor herroeping',
    '(Dit formulier alleen invullen en terugzenden als u de overeenkomst wilt herroepen.)',
    'Aan {seller}:',
    'Ik/Wij (*) deel/delen (*) u hierbij mede dat ik/wij (*) onze overeenkomst betreffende de verkoop van de volgende goederen herroep/herroepen (*):',
    'Besteld op (*) / ontvangen op (*):',
    'Naam/namen consument(en):',
    'Adres consument(en):',
    'Handtekening van consument(en) (alleen wanneer dit formulier op papier wordt ingediend):',
    'Datum:',
    '(*) Doorhalen wat niet van toepassing is.',
  ],
}
