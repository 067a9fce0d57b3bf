import type { CheckoutTexts, MethodTexts, PageTexts, PriceTexts, WithdrawalTexts } from './en.ts'

export const checkout: CheckoutTexts = {
  contact: {
    title: 'Kontakt',
    required: 'Pflichtfeld',
    email: 'E-Mail',
    didYouMean: 'Meinten Sie {domain}?',
    news: 'Neuigkeiten und Angebote per E-Mail erhalten',
  },
  choice: {
    fewLeft: 'Nur noch {count} verfügbar',
    chosen: '{name}: {value}',
  },
  delivery: {
    title: 'Lieferung',
    keep: 'Angaben für das nächste Mal speichern',
    clear: 'Nicht Sie? Löschen',
    kept: 'Nur auf diesem Gerät. Kartendaten werden nie gespeichert.',
    choose: 'Lieferung oder Abholung',
    ship: 'Lieferung',
    pickup: 'Abholung',
    pickupPhoneHint: 'Nur für Fragen zur Abholung.',
  },
  fields: {
    optional: '(optional)',
    country: 'Land',
    chooseCountry: 'Land wählen',
    firstName: 'Vorname',
    lastName: 'Nachname',
    address: 'Straße und Hausnummer',
    apartment: 'Adresszusatz',
    city: 'Ort',
    state: 'Staat/Provinz',
    province: 'Provinz',
    prefecture: 'Präfektur',
    county: 'Grafschaft/Kreis',
    region: 'Region',
    emirate: 'Emirat',
    stateHint: 'Für den Versand nötig',
    zipCode: 'Postleitzahl',
    postcode: 'Postleitzahl',
    usuallyLike: 'Üblich: {example}',
    phone: 'Telefon',
    phoneHint: 'Nur für Fragen zur Lieferung.',
    charactersLeft: 'Noch {count} Zeichen',
  },
  errors: {
    title: 'Es gibt ein Problem',
    forBilling: '{error} (Rechnungsadresse)',
    inTitle: 'Fehler: ',
    noEmail: 'Bitte E-Mail-Adresse eingeben',
    email: 'Bitte E-Mail wie name@example.com eingeben',
    country: 'Bitte Land wählen',
    firstName: 'Bitte Vornamen eingeben',
    lastName: 'Bitte Nachnamen eingeben',
    address: 'Bitte Adresse eingeben',
    city: 'Bitte Ort eingeben',
    state: 'Bitte Staat oder Provinz eingeben',
    zipCode: 'Bitte PLZ eingeben',
    postcode: 'Bitte PLZ eingeben',
    choice: 'Bitte wählen: {name}',
    note: 'Bitte „{label}“ ausfüllen',
    wrongField: 'Bitte prüfen Sie diese Angabe.',
  },
  shipping: {
    title: 'Versandart',
    addressFirst: 'Geben Sie Ihre Adresse ein, um zu sehen, wie geliefert wird.',
    standard: 'Standardversand',
    ready: 'Versandbereit',
    free: 'Gratis',
    calculating: 'wird berechnet…',
  },
  billing: {
    title: 'Rechnungsadresse',
    same: 'Wie Lieferadresse',
    other: 'Andere Rechnungsadresse',
    none: 'Keine Rechnungsadresse',
  },
  payment: {
    title: 'Zahlung',
    card: 'Kreditkarte',
    secure: 'Sicher und verschlüsselt',
    charged: 'Mit der Bestellung wird Ihre Karte mit {amount} belastet',
    testCards: 'Testkarten',
    copy: '{text} kopieren',
    succeeds: 'erfolgreich',
    asksForSecure: 'verlangt 3-D Secure',
    testNote:
      'Beliebiges Datum in der Zukunft, beliebiger CVC. Die meisten anderen Nummern werden abgelehnt. Es fließt kein Geld.',
    loading: 'Wird geladen…',
    stillLoading:
      'Bleibt es dabei, ist Ihre Verbindung abgebrochen. Bitte laden Sie diese Seite dann neu.',
    confirming: 'Wir warten auf die Bestätigung…',
    bankPage: 'Funktioniert die Seite Ihrer Bank hier nicht?',
    leaveBankPage: 'Schließen und auf die Bank warten',
    notLoaded: 'Das Zahlungsformular wurde nicht geladen.',
    checkConnection:
      'Bitte prüfen Sie Ihre Verbindung, und ob ein Werbeblocker das Formular aufhält. Versuchen Sie es dann noch einmal.',
    needsCookies:
      'Ihr Browser lehnt Cookies ab, die dieses Formular braucht. Bitte erlauben Sie sie hier und versuchen Sie es noch einmal.',
    tryAgain: 'Erneut versuchen',
    needsScript: 'Das Kartenformular braucht JavaScript.',
    due: 'Zu zahlen',
    pay: 'Zahlungspflichtig bestellen',
    processing: 'Wird verarbeitet…',
    provider:
      'Ihre Kartendaten gehen direkt an SumUp, unseren Zahlungsdienstleister. Dieser Shop sieht sie nie.',
  },
  connection: {
    lost: 'Der Shop ist gerade nicht erreichbar.',
    typed:
      'Was Sie eingegeben haben, bleibt erhalten. Sobald die Verbindung wieder da ist, geht es von selbst weiter.',
    unsent: 'Ihre Karte wurde noch nicht gesendet. Diese Seite versucht es von selbst noch einmal.',
    sent: 'Bitte zahlen Sie nicht noch einmal: Sobald die Verbindung wieder da ist, geht es hier von selbst weiter.',
    noPayment:
      'Die Verbindung ist abgebrochen, und es ist keine Zahlung mit Ihrer Karte angekommen. Bitte versuchen Sie es noch einmal.',
  },
  withdrawal: {
    notice: 'Sie können diesen Kauf innerhalb von {days} Tagen widerrufen.',
    policy: 'Widerrufsrecht',
    notSent:
      'Das konnte nicht gesendet werden. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  },
  shop: {
    /** In the accusative, as the two texts below need it, and `reach` of the pages. */
    theShop: 'den Shop',
    questions: 'Fragen? Schreiben Sie an {shop}: {email}',
    questionsElsewhere:
      'Fragen? Sie erreichen {shop} über die Website oder die Nachricht, die Sie hierher geführt hat.',
  },
  toasts: {
    region: 'Benachrichtigungen (F8)',
    close: 'Schließen',
    lookAgain: 'Bitte noch einmal ansehen',
    widgetError: 'Fehler im Zahlungsformular',
    widgetErrorText: 'Das Zahlungsformular wurde nicht geladen. Bitte laden Sie die Seite neu.',
    notReady: 'Zahlung noch nicht bereit',
    notReadyText: 'Bitte warten Sie, bis das Zahlungsformular geladen ist.',
    incomplete: 'Bitte füllen Sie alle Pflichtfelder aus',
    incompleteText: 'Machen Sie alle nötigen Angaben, bevor Sie bezahlen.',
    submissionFailed: 'Übermittlung der Zahlung fehlgeschlagen',
    submissionFailedText: 'Bitte versuchen Sie es erneut oder laden Sie die Seite neu.',
    orderFailed: 'Bestellung fehlgeschlagen',
    orderFailedText:
      'Die Bestellung konnte nicht angelegt werden. Bitte versuchen Sie es noch einmal.',
    paymentFailed: 'Zahlung fehlgeschlagen',
    paymentFailedText: 'Bitte prüfen Sie Ihre Kartendaten und versuchen Sie es noch einmal.',
    expiredText:
      'Das Zahlungsformular war abgelaufen, es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',
    expiredUnknownText: 'Das Zahlungsformular war abgelaufen. Bitte versuchen Sie es noch einmal.',
  },
  panels: {
    atBank: {
      title: 'Ihre Bank prüft die Zahlung',
      confirm:
        'Bitte bestätigen Sie die Zahlung dort, zum Beispiel in Ihrer Banking-App. Sie müssen nicht noch einmal bezahlen: Sobald Ihre Bank zustimmt, wird Ihre Bestellung automatisch angelegt.',
      goesOn: 'Hier geht es weiter, sobald Ihre Bank geantwortet hat.',
      button: 'Bei der Bank nicht abgeschlossen',
      stillThere:
        'Diese Zahlung liegt noch bei Ihrer Bank, deshalb können wir noch kein neues Formular öffnen. Bitte schließen Sie sie dort ab oder warten Sie ein wenig: Hier geht es von selbst weiter.',
      unavailable: 'Das hat gerade nicht geklappt. Bitte versuchen Sie es gleich noch einmal.',
    },
    confirming: {
      title: 'Wird verarbeitet…',
      text: 'Wir warten auf die Bestätigung Ihrer Zahlung. Bitte lassen Sie diese Seite noch einen Moment geöffnet.',
    },
    delayed: {
      title: 'Ihre Zahlung ist noch nicht bestätigt',
      text: 'Die Bestätigung dauert länger als sonst. Bitte zahlen Sie nicht noch einmal: Falls Ihre Karte belastet wurde, wird Ihre Bestellung automatisch angelegt.',
      close:
        'Sie können diese Seite geöffnet lassen, dann geht es von selbst weiter. Sie können sie auch schließen: In diesem Browser wieder geöffnet führt sie zu Ihrer Bestellung, sobald es eine gibt.',
    },
    orderRefused: {
      title: 'Ihre Bestellung konnte nicht angelegt werden',
      text: 'Ihre Kartendaten wurden übermittelt, und die Karte wird kein zweites Mal belastet. Bitte versuchen Sie noch einmal, die Bestellung anzulegen.',
    },
    notFound: {
      title: 'Wir können diese Zahlung von hier aus nicht verfolgen',
      why: 'Cookies wurden gelöscht, die Zahlung wurde in einem anderen Browser begonnen, oder der Shop hat keinen Eintrag dazu.',
      before:
        'Bevor Sie noch einmal bezahlen, prüfen Sie bitte, ob Ihre Karte belastet wurde. Wenn ja und wenn Sie keine Bestätigung einer Bestellung haben, schreiben Sie dem Shop.',
      sure: 'Wenn Sie sicher sind, dass Sie nicht bezahlt haben, können Sie neu beginnen.',
      button: 'Neu beginnen',
    },
    tooManyCards: {
      title: 'Kartenzahlung zurzeit nicht möglich',
      text: 'Eine abgelehnte Karte wird nicht belastet. Ihre Eingaben bleiben erhalten: Laden Sie diese Seite später neu, dann ist das Kartenformular wieder da.',
    },
    notSold: {
      title: 'Dieses Produkt wird nicht mehr verkauft',
      paused: 'Zurzeit nicht im Verkauf',
      soldOut: 'Ausverkauft',
      text: 'Ihre Kartendaten wurden nicht übermittelt, und es wurde nichts abgebucht.',
      unknownText:
        'Ihre Kartendaten wurden diesmal nicht übermittelt. Falls Ihre Karte beim vorigen Versuch belastet wurde, erfährt der Shop automatisch von dieser Zahlung.',
    },
    review: {
      paid: 'Wir haben Ihre Zahlung erhalten',
      paidText:
        'Ihre Zahlung ist eingegangen, und der Shop sieht sie sich an, bevor es mit der Bestellung weitergeht. Sie müssen nicht noch einmal bezahlen.',
      paidWithoutDetails:
        'Ihre Zahlung ist eingegangen, aber uns fehlt noch die Lieferadresse. Bitte schreiben Sie dem Shop, damit es weitergehen kann. Sie müssen nicht noch einmal bezahlen.',
      uncertain: 'Ihre Zahlung wird geprüft',
      uncertainText:
        'Es steht noch nicht fest, ob Ihre Karte belastet wurde. Der Shop geht dem nach. Bitte zahlen Sie bis dahin nicht noch einmal.',
      whoWrites:
        'Der Shop kann Ihnen an die E-Mail-Adresse schreiben, die Sie angegeben haben. Falls Sie noch keine angegeben haben, schreiben Sie bitte dem Shop.',
      returned: 'Ihre Zahlung ging an Sie zurück',
      returnedText:
        'Sie ging zurück, bevor daraus eine Bestellung wurde, es wird also nichts versandt. Falls Sie das nicht erwartet haben, schreiben Sie bitte dem Shop.',
      dismissed: 'Aus dieser Zahlung wurde keine Bestellung',
      dismissedText:
        'Der Shop hat sich diese Zahlung angesehen und keine Bestellung daraus gemacht. Wenn Sie eine Frage haben, schreiben Sie bitte dem Shop.',
    },
  },
  refusals: {
    'product-missing': 'Produkt nicht gefunden',
    'page-outdated':
      'Dieses Produkt wurde gerade geändert. Bitte sehen Sie sich die Seite noch einmal an.',
    'product-paused':
      'Der Shop hat den Verkauf dieses Produkts pausiert. Bitte kommen Sie später wieder.',
    'sold-out': 'Alle Stücke sind verkauft oder werden gerade von anderen bezahlt.',
    'choice-missing': 'Bitte wählen Sie eine der Möglichkeiten.',
    'choice-gone':
      'Ihre Auswahl wurde geändert oder wird nicht mehr angeboten. Bitte wählen Sie neu.',
    'value-sold-out':
      'Ihre Auswahl ist verkauft oder wird gerade von anderen bezahlt. Bitte wählen Sie neu.',
    'note-needed':
      'Für dieses Produkt wird ein Text von Ihnen gebraucht. Bitte sehen Sie sich die Seite noch einmal an.',
    'not-delivered':
      'Dieses Land oder diesen Abholort bietet der Shop nicht an. Bitte wählen Sie neu.',
    'price-changed': 'Der Preis hat sich geändert. Bitte sehen Sie ihn sich noch einmal an.',
    'price-without-cents':
      'Dieses Produkt kann nicht bezahlt werden, weil seine Währung keine Cent hat. Bitte sagen Sie dem Shop Bescheid.',
    'price-not-payable':
      'Dieses Produkt kann mit diesem Preis und dieser Währung nicht per Karte bezahlt werden. Bitte sagen Sie dem Shop Bescheid.',
    'mode-changed':
      'Dieser Shop hat gerade umgestellt, wie bezahlt wird. Bitte sehen Sie sich die Seite noch einmal an.',
    'payments-away':
      'Kartenzahlungen sind gerade nicht möglich. Bitte versuchen Sie es gleich noch einmal.',
    'too-many-checkouts':
      'Von hier aus wurden zu viele Zahlungen begonnen. Bitte warten Sie ein paar Minuten und versuchen Sie es noch einmal.',
    'too-many-holds':
      'Von hier aus wurden hierfür mehrere Zahlungen begonnen und nicht beendet. Bitte versuchen Sie es in einer Stunde noch einmal, oder wenden Sie sich an den Shop.',
    'too-many-cards':
      'Zu viele Karten wurden abgelehnt. Bitte warten Sie eine Weile oder wenden Sie sich an den Shop.',
    'too-many-requests':
      'Zu viele Anfragen. Bitte warten Sie einen Moment und versuchen Sie es noch einmal.',
    'request-timeout': 'Die Anfrage kam nicht rechtzeitig an. Bitte versuchen Sie es noch einmal.',
    unexpected: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.',
    unavailable: 'Der Shop ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
  },
}

export const methods: MethodTexts = {
  otherWays: 'Andere Zahlungsarten',
  backToCard: 'Zurück zur Karte',
  obliges: 'Mit der Zahlung bestellen Sie zahlungspflichtig.',
  replaced:
    'Kontakt oder Lieferung wurden in einem anderen Tab geändert. Bitte sehen Sie sie sich noch einmal an.',
  noPayment:
    'Es ist keine Zahlung eingegangen. Bitte versuchen Sie es erneut oder zahlen Sie auf andere Weise.',
  instead: {
    payment: {
      provider:
        'Ihre Zahlung geht direkt an SumUp, unseren Zahlungsdienstleister. Dieser Shop sieht die Daten Ihrer Karte oder Ihres Kontos nie.',
      bankPage: 'Geht die Zahlung hier nicht weiter?',
      leaveBankPage: 'Schließen und auf die Zahlung warten',
    },
    connection: {
      unsent:
        'Für eine Zahlung wurde noch nichts gesendet. Diese Seite versucht es von selbst erneut.',
      noPayment:
        'Die Verbindung wurde unterbrochen, und es ist keine Zahlung eingegangen. Bitte versuchen Sie es erneut.',
    },
    toasts: {
      paymentFailedText:
        'Bitte versuchen Sie es noch einmal oder wählen Sie eine andere Zahlungsart.',
    },
    refusals: {
      'price-not-payable':
        'Dieses Produkt kann mit diesem Preis und dieser Währung nicht bezahlt werden. Bitte sagen Sie dem Shop Bescheid.',
      'payments-away':
        'Zahlungen sind gerade nicht möglich. Bitte versuchen Sie es gleich noch einmal.',
      'too-many-cards':
        'Zu viele Zahlungen wurden abgelehnt oder abgebrochen. Bitte warten Sie eine Weile oder wenden Sie sich an den Shop.',
    },
    panels: {
      tooManyCards: {
        title: 'Zahlung zurzeit nicht möglich',
        text: 'Für eine abgelehnte Zahlung wird nichts abgebucht. Ihre Eingaben bleiben erhalten: Laden Sie diese Seite später neu, dann ist das Zahlungsformular wieder da.',
      },
      atBank: {
        title: 'Ihre Zahlung ist noch nicht bestätigt',
        confirm:
          'Bitte schließen Sie die Zahlung dort ab, wo Sie bezahlen, zum Beispiel in der App Ihrer Bank. Sie müssen nicht noch einmal bezahlen: Sobald die Zahlung bestätigt ist, wird Ihre Bestellung automatisch angelegt.',
        goesOn: 'Hier geht es weiter, sobald die Zahlung bestätigt ist.',
        button: 'Zahlung nicht abgeschlossen',
        stillThere:
          'Diese Zahlung läuft noch, deshalb können wir noch kein neues Formular öffnen. Bitte schließen Sie sie ab oder warten Sie ein wenig: Hier geht es von selbst weiter.',
      },
      delayed: {
        text: 'Die Bestätigung dauert länger als sonst. Bitte zahlen Sie nicht noch einmal: Falls etwas abgebucht wurde, wird Ihre Bestellung automatisch angelegt.',
      },
      orderRefused: {
        text: 'Ihre Zahlung wurde übermittelt, und es wird kein zweites Mal abgebucht. Bitte versuchen Sie noch einmal, die Bestellung anzulegen.',
      },
      notFound: {
        before:
          'Bevor Sie noch einmal bezahlen, prüfen Sie bitte, ob etwas abgebucht wurde. Wenn ja und wenn Sie keine Bestätigung einer Bestellung haben, schreiben Sie dem Shop.',
      },
      notSold: {
        text: 'Ihre Zahlung wurde nicht übermittelt, und es wurde nichts abgebucht.',
        unknownText:
          'Ihre Zahlung wurde diesmal nicht übermittelt. Falls beim vorigen Versuch etwas abgebucht wurde, erfährt der Shop automatisch von dieser Zahlung.',
      },
      review: {
        uncertainText:
          'Es steht noch nicht fest, ob etwas abgebucht wurde. Der Shop geht dem nach. Bitte zahlen Sie bis dahin nicht noch einmal.',
      },
    },
  },
}

export const prices: PriceTexts = {
  discount: 'Rabatt ({code})',
  pickup: 'Abholung',
  plusShipping: '{amount} + Versand',
  countryFirst:
    'Wählen Sie oben ein Land, um die Versandkosten zu sehen. Dann können Sie hier bezahlen.',
  announced: 'Versand: {shipping}. Gesamt: {total}.',
  refusals: {
    'country-needed': 'Die Versandkosten hängen vom Land ab. Bitte wählen Sie eines aus.',
    'terms-changed':
      'Dieser Preis galt für eine andere Lieferung. Bitte sehen Sie ihn sich noch einmal an.',
    'code-unknown': 'Der Rabattcode gilt nicht mehr. Bitte sehen Sie sich den Preis ohne ihn an.',
    'code-used-up':
      'Der Rabattcode wurde von anderen aufgebraucht. Bitte sehen Sie sich den Preis ohne ihn an.',
  },
}

export const pages: PageTexts = {
  titles: {
    checkout: '{product} · Kasse',
    paused: '{product} · Pausiert',
    soldOut: '{product} · Ausverkauft',
    thankYou: 'Vielen Dank! · {shop}',
  },
  language: 'Sprache',
  checkout: {
    title: 'Kasse',
    testMode: 'Testmodus',
    needsScript:
      'Zum Bezahlen wird hier JavaScript gebraucht. Bitte schalten Sie es ein und laden Sie diese Seite neu.',
    summary: 'Bestellübersicht',
    showSummary: 'Bestellübersicht anzeigen',
    hideSummary: 'Bestellübersicht ausblenden',
    quantity: 'Menge: {count}',
    fewLeft: 'Nur noch {count} verfügbar',
    subtotal: 'Zwischensumme',
    shipping: 'Versand',
    free: 'Gratis',
    total: 'Gesamt',
    codeNotValid:
      'Der Rabattcode im Link gilt für diesen Kauf nicht. Der Preis wird ohne ihn angezeigt.',
  },
  recent: {
    label: 'Ihre letzte Bestellung',
    justNow: 'Sie haben das gerade eben gekauft.',
    oneMinute: 'Sie haben das vor 1 Minute gekauft.',
    minutes: 'Sie haben das vor {minutes} Minuten gekauft.',
    isTest: 'Es war eine Testbestellung: Es wurde kein Geld abgebucht.',
    isPaid: 'Es ist bezahlt, Sie müssen nicht noch einmal bezahlen.',
    see: 'Bestellung ansehen',
  },
  footer: {
    newTab: '(öffnet sich in einem neuen Tab)',
    close: 'Schließen',
    /** In the dative, as every {shop} below needs it but that of `reach`, which is given its own. */
    thisShop: 'diesem Shop',
    atStart: 'Dieser Shop',
    writeTo: 'Schreiben Sie an {email}.',
    reach: 'Sie erreichen {shop} über die Website oder die Nachricht, die Sie hierher geführt hat.',
    refund: 'Erstattungen',
    refundTexts: [
      'Wenn mit Ihrer Bestellung etwas nicht stimmt, melden Sie sich bitte bei {shop}. {contact}',
      'Bitte nennen Sie Ihre Bestellnummer; sie steht auf der Seite nach Ihrem Kauf und in jeder E-Mail zu Ihrer Bestellung. {refunds} Ihre gesetzlichen Rechte bleiben unberührt.',
    ],
    refundsToCard: 'Erstattungen gehen auf die Karte zurück, mit der bezahlt wurde.',
    refundsOtherwise: 'Erstattungen gehen auf dem Weg zurück, auf dem bezahlt wurde.',
    shipping: 'Versandbedingungen',
    shippingTexts: [
      '{theShop} sendet Ihre Bestellung per Standardversand an die Adresse, die Sie hier eingeben. Der Versand ist kostenlos.',
      'Fragen zu Ihrer Lieferung? {contact}',
    ],
    pricedShippingTexts: [
      '{theShop} sendet Ihre Bestellung per Standardversand an die Adresse, die Sie hier eingeben. Was der Versand kostet, sehen Sie vor dem Bezahlen.',
      'Fragen zu Ihrer Lieferung? {contact}',
    ],
    pickupText: 'Sie können Ihre Bestellung hier abholen: {place}',
    privacy: 'Datenschutz',
    privacyTexts: [
      '{theShop} verwendet Ihre Angaben, um Ihre Bestellung zu bearbeiten, sie zu liefern und Ihnen dazu zu schreiben. Neuigkeiten werden nur gesendet, wenn Sie das wünschen.',
      'Ihre Kartendaten gehen direkt an SumUp, den Zahlungsdienstleister. Der Shop sieht sie nicht und speichert sie nicht. Wenn Sie Ihre Angaben speichern lassen, bleiben sie auf diesem Gerät.',
      'Wenn Sie einsehen, berichtigen oder löschen lassen möchten, was über Sie gespeichert ist: {contact}',
    ],
    terms: 'AGB',
    termsTexts: [
      'Mit der Zahlung bestellen Sie das hier gezeigte Produkt bei {shop} zum hier gezeigten Gesamtbetrag. Der Vertrag kommt zustande, wenn die Zahlung bestätigt ist{mailed}.',
      'Fragen? {contact}',
    ],
    termsMailed: '; Sie erhalten darüber eine E-Mail',
    contact: 'Kontakt',
    contactTexts: [
      'Sie kaufen bei {shop}. Eine E-Mail-Adresse ist hier nicht angegeben. {contact}',
    ],
    imprint: 'Impressum',
    vatNumber: 'USt-IdNr.: {number}',
  },
  missing: {
    'Product not found': 'Produkt nicht gefunden',
    'Order not found': 'Bestellung nicht gefunden',
    'Page Not Found': 'Seite nicht gefunden',
    productReason:
      'Dieses Produkt wird nicht mehr verkauft, oder der Link ist unvollständig. Bitte fragen Sie den Shop, der ihn Ihnen geschickt hat, nach einem neuen.',
    orderReason:
      'Unter dieser Adresse gibt es keine Bestellung. Bitte prüfen Sie, ob der Link vollständig ist.',
    lostOrderReason:
      'Der Shop wurde aus einer Sicherung wiederhergestellt und kennt die letzten Bestellungen vielleicht noch nicht. Wenn Sie bezahlt haben, müssen Sie nicht noch einmal bezahlen: Bitte schreiben Sie dem Shop, damit er Ihre Bestellung suchen kann.',
    pageReason:
      'Unter dieser Adresse gibt es nichts. Prüfen Sie, ob der Link vollständig ist, oder fragen Sie den Shop, der ihn Ihnen geschickt hat, nach einem neuen.',
  },
  paused: {
    title: 'Zurzeit nicht im Verkauf',
    text: 'Der Shop hat den Verkauf von „{product}“ pausiert. Bitte kommen Sie später wieder. Falls Sie gerade bezahlt haben, läuft Ihre Bestellung wie gewohnt weiter.',
  },
  soldOut: {
    title: 'Ausverkauft',
    text: 'Alle Stücke von „{product}“ sind verkauft oder werden gerade von anderen bezahlt. Falls Sie gerade bezahlt haben, läuft Ihre Bestellung wie gewohnt weiter.',
  },
  problem: 'Diese Seite ist gerade nicht verfügbar',
  thankYou: {
    yourOrder: 'Ihre Bestellung',
    title: 'Vielen Dank!',
    confirmed: 'Ihre Bestellung ist bestätigt',
    mailSent: 'Eine Bestätigung per E-Mail ist unterwegs an {email}',
    mailOfTest: 'Da dies ein Test ist, geht keine Bestätigungs-E-Mail an {email}',
    noMails:
      'Dieser Shop versendet keine E-Mails. Bitte bewahren Sie die Adresse dieser Seite auf.',
    testOrder: 'Testbestellung:',
    testNote: 'Es wurde kein Geld abgebucht, es wird nichts geliefert.',
    orderNumber: 'Bestellnummer',
    copyOrderNumber: 'Bestellnummer kopieren',
    status: 'Status',
    date: 'Datum',
    parcel: 'Paket',
    copyTracking: 'Sendungsnummer kopieren',
    track: 'Paket verfolgen',
    shippingAddress: 'Lieferadresse',
    pickupAt: 'Abholung bei',
    pickupHours: 'Öffnungszeiten',
    billingAddress: 'Rechnungsadresse',
    paymentMethod: 'Zahlungsart',
    card: 'Karte',
    preparing: 'In Vorbereitung',
    onItsWay: 'Unterwegs',
    readyForPickup: 'Abholbereit',
    completed: 'Abgeschlossen',
    vat: 'Inkl. {rate}\u00a0% MwSt.',
    sellersVatNumber: 'USt-IdNr. {number}',
    print: 'Drucken',
    changedYourMind: 'Anders überlegt?',
    next: 'So geht es weiter',
    done: '(fertig)',
    steps: {
      paid: 'Der Shop hat Ihre Bestellung und Ihre Zahlung erhalten',
      unpaid: 'Der Shop hat Ihre Bestellung erhalten',
      packed: 'Ihre Bestellung wird vorbereitet und verpackt',
      sent: 'Ihr Paket ist per Standardversand unterwegs',
      pickup: 'Sie können Ihre Bestellung abholen',
    },
    testSteps: {
      paid: 'Der Shop hat Ihre Testbestellung und keine Zahlung',
      packed: 'Eine echte Bestellung würde jetzt vorbereitet und verpackt',
      sent: 'Ein echtes Paket wäre danach per Standardversand unterwegs',
      pickup: 'Eine echte Bestellung könnte danach abgeholt werden',
    },
  },
  returned: {
    titles: {
      refund: 'Ihre Bestellung wurde erstattet',
      chargeback: 'Ihre Zahlung wurde zurückgebucht',
      both: 'Ihre Zahlung wurde erstattet und zurückgebucht',
    },
    labels: {
      refund: 'Erstattet',
      chargeback: 'Zurückgebucht',
      both: 'Erstattet und zurückgebucht',
    },
    refunded:
      'Die Erstattung von {amount} ging auf Ihre Karte zurück. Es kann einige Tage dauern, bis Ihre Kartenabrechnung das zeigt.',
    chargedBack: 'Ihre Bank hat {amount} vom Shop zurückgeholt.',
    refundedOtherwise:
      'Die Erstattung von {amount} ging auf dem Weg zurück, auf dem Sie bezahlt haben. Es kann einige Tage dauern, bis Sie sie dort sehen.',
    chargedBackOtherwise: 'Ihre Bank oder Ihr Zahlungsdienst hat {amount} vom Shop zurückgeholt.',
  },
  withdrawal: {
    here: 'Vertrag widerrufen',
    confirm: 'Widerruf bestätigen',
    policy: 'Widerrufsrecht',
    received: 'Ihr Widerruf ist eingegangen',
    which: 'Sagen Sie uns, welchen Kauf Sie widerrufen. Einen Grund müssen Sie nicht nennen.',
    name: 'Ihr Name',
    orderNumber: 'Bestellnummer',
    orderNumberHint: 'Sie steht auf der Seite nach Ihrem Kauf und in jeder E-Mail dazu.',
    email: 'E-Mail',
    emailHint: 'Die, mit der Sie gekauft haben.',
    continue: 'Weiter',
    change: 'Angaben ändern',
    aboutToState: 'Sie erklären gleich:',
    statement: 'Hiermit widerrufe ich meinen Kaufvertrag über die Bestellung {orderNumber}.',
    receivedText:
      'Ihr Widerruf ist am {receivedAt} bei uns eingegangen. Wir bestätigen den Eingang per E-Mail an {email}, mit Inhalt, Datum und Uhrzeit, es sei denn, in der letzten Stunde wurden zu viele dieser E-Mails gesendet.',
    receivedTestText:
      'Ihr Widerruf ist am {receivedAt} bei uns eingegangen. Wir bestätigen den Eingang per E-Mail an {email} nur, wenn Bestellnummer und E-Mail-Adresse zu einer Bestellung gehören, die kein Test war, und nicht, wenn in der letzten Stunde zu viele dieser E-Mails gesendet wurden.',
    receivedUnmailedText:
      'Ihr Widerruf ist am {receivedAt} bei uns eingegangen. Dieser Shop versendet keine E-Mails: Bitte bewahren Sie eine Kopie dieser Seite auf.',
  },
}

export const withdrawal: WithdrawalTexts = {
  theShop: 'der Shop',
  confirmed:
    ' Wir bestätigen Ihnen dann unverzüglich per E-Mail, dass Ihr Widerruf bei uns eingegangen ist.',
  instructions: [
    'Sie haben das Recht, binnen vierzehn Tagen ohne Angabe von Gründen diesen Vertrag zu widerrufen. Die Widerrufsfrist beträgt vierzehn Tage ab dem Tag, an dem Sie oder ein von Ihnen benannter Dritter, der nicht der Beförderer ist, die Waren in Besitz genommen haben bzw. hat.',
    'Um Ihr Widerrufsrecht auszuüben, müssen Sie uns ({seller}) mittels einer eindeutigen Erklärung (z.\u00a0B. ein mit der Post versandter Brief oder eine E-Mail) über Ihren Entschluss, diesen Vertrag zu widerrufen, informieren. Sie können dafür das untenstehende Muster-Widerrufsformular verwenden, das jedoch nicht vorgeschrieben ist.',
    'Sie können Ihr Widerrufsrecht auch online ausüben: Wählen Sie „{here}“ am Ende der Seite, auf der Sie gekauft haben, oder auf der Seite Ihrer Bestellung.{confirmed}',
    'Zur Wahrung der Widerrufsfrist reicht es aus, dass Sie die Mitteilung über die Ausübung des Widerrufsrechts vor Ablauf der Widerrufsfrist absenden.',
    'Wenn Sie diesen Vertrag widerrufen, haben wir Ihnen alle Zahlungen, die wir von Ihnen erhalten haben, einschließlich der Kosten der Standardlieferung, unverzüglich und spätestens binnen vierzehn Tagen ab dem Tag zurückzuzahlen, an dem die Mitteilung über Ihren Widerruf dieses Vertrags bei uns eingegangen ist. Für diese Rückzahlung verwenden wir dasselbe Zahlungsmittel, das Sie bei der ursprünglichen Transaktion eingesetzt haben, es sei denn, mit Ihnen wurde ausdrücklich etwas anderes vereinbart; in keinem Fall werden Ihnen wegen dieser Rückzahlung Entgelte berechnet. Wir können die Rückzahlung verweigern, bis wir die Waren wieder zurückerhalten haben oder bis Sie den Nachweis erbracht haben, dass Sie die Waren zurückgesandt haben, je nachdem, welches der frühere Zeitpunkt ist.',
    'Sie haben die Waren unverzüglich und in jedem Fall spätestens binnen vierzehn Tagen ab dem Tag, an dem Sie uns über den Widerruf dieses Vertrags unterrichten, an uns zurückzusenden oder zu übergeben. Die Frist ist gewahrt, wenn Sie die Waren vor Ablauf der Frist von vierzehn Tagen absenden. Sie tragen die unmittelbaren Kosten der Rücksendung der Waren. Sie müssen für einen etwaigen Wertverlust der Waren nur aufkommen, wenn dieser Wertverlust auf einen zur Prüfung der Beschaffenheit, Eigenschaften und Funktionsweise der Waren nicht notwendigen Umgang mit ihnen zurückzuführen ist.',
    'Das Widerrufsrecht besteht nicht bei Waren, die nach Ihren Wünschen angefertigt werden oder eindeutig auf Ihre persönlichen Bedürfnisse zugeschnitten sind, und nicht bei Waren, die schnell verderben können oder deren Verfallsdatum schnell überschritten würde.',
  ],
  form: [
    'Muster-Widerrufsformular',
    '(Wenn Sie den Vertrag widerrufen wollen, dann füllen Sie bitte dieses Formular aus und senden Sie es zurück.)',
    'An: {seller}',
    'Hiermit widerrufe(n) ich/wir (*) den von mir/uns (*) abgeschlossenen Vertrag über den Kauf der folgenden Waren:',
    'Bestellt am (*) / erhalten am (*):',
    'Name des/der Verbraucher(s):',
    'Anschrift des/der Verbraucher(s):',
    'Unterschrift des/der Verbraucher(s) (nur bei Mitteilung auf Papier):',
    'Datum:',
    '(*) Unzutreffendes streichen.',
  ],
}
