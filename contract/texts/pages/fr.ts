import type { CheckoutTexts, MethodTexts, PageTexts, PriceTexts, WithdrawalTexts } from './en.ts'

export const checkout: CheckoutTexts = {
  contact: {
    title: 'Contact',
    required: 'obligatoire',
    email: 'E-mail',
    didYouMean: 'Vouliez-vous dire {domain}\u00a0?',
    news: 'Recevoir les actualités et offres par e-mail',
  },
  choice: {
    fewLeft: 'Plus que {count} en stock',
    chosen: '{name}\u00a0: {value}',
  },
  delivery: {
    title: 'Livraison',
    keep: 'Enregistrer ces informations pour la prochaine fois',
    clear: 'Pas vous\u00a0? Effacer',
    kept: 'Sur cet appareil uniquement. Les données de carte ne sont jamais enregistrées.',
    choose: 'Livraison ou retrait',
    ship: 'Livraison',
    pickup: 'Retrait sur place',
    pickupPhoneHint: 'Uniquement pour les questions sur le retrait.',
  },
  fields: {
    optional: '(facultatif)',
    country: 'Pays',
    chooseCountry: 'Choisir un pays',
    firstName: 'Prénom',
    lastName: 'Nom',
    address: 'Adresse',
    apartment: 'Complément d’adresse',
    city: 'Ville',
    state: 'État/province',
    province: 'Province',
    prefecture: 'Préfecture',
    county: 'Comté',
    region: 'Région',
    emirate: 'Émirat',
    stateHint: 'Requis par le transporteur',
    zipCode: 'Code postal',
    postcode: 'Code postal',
    usuallyLike: 'Format usuel\u00a0: {example}',
    phone: 'Téléphone',
    phoneHint: 'Uniquement pour les questions de livraison.',
    charactersLeft: 'Caractères restants\u00a0: {count}',
  },
  errors: {
    title: 'Il y a un problème',
    forBilling: '{error} (facturation)',
    inTitle: 'Erreur\u00a0: ',
    noEmail: 'Indiquez votre adresse e-mail',
    email: 'Indiquez un e-mail du type nom@example.com',
    country: 'Choisissez un pays',
    firstName: 'Indiquez un prénom',
    lastName: 'Indiquez un nom',
    address: 'Indiquez une adresse',
    city: 'Indiquez une ville',
    state: 'Indiquez un État ou une province',
    zipCode: 'Indiquez un code postal',
    postcode: 'Indiquez un code postal',
    choice: 'À choisir\u00a0: {name}',
    note: 'Remplissez «\u00a0{label}\u00a0»',
    wrongField: 'Veuillez vérifier cette saisie.',
  },
  shipping: {
    title: 'Mode de livraison',
    addressFirst: 'Indiquez votre adresse pour voir le mode de livraison.',
    standard: 'Livraison standard',
    ready: 'Prêt à être expédié',
    free: 'Gratuite',
    calculating: 'calcul en cours…',
  },
  billing: {
    title: 'Adresse de facturation',
    same: 'Identique à l’adresse de livraison',
    other: 'Utiliser une autre adresse de facturation',
    none: 'Pas d’adresse de facturation',
  },
  payment: {
    title: 'Paiement',
    card: 'Carte bancaire',
    secure: 'Sécurisé et chiffré',
    charged: 'Votre carte sera débitée de {amount}',
    testCards: 'Cartes de test',
    copy: 'Copier {text}',
    succeeds: 'est acceptée',
    asksForSecure: 'demande 3-D Secure',
    testNote:
      'N’importe quelle date future et n’importe quel CVC. La plupart des autres numéros sont refusés. Rien n’est débité.',
    loading: 'Chargement…',
    stillLoading:
      'Si rien ne change, votre connexion est interrompue. Veuillez alors recharger cette page.',
    confirming: 'Confirmation de votre paiement…',
    bankPage: 'La page de votre banque ne fonctionne pas ici\u00a0?',
    leaveBankPage: 'La fermer et attendre la banque',
    notLoaded: 'Le formulaire de paiement ne s’est pas chargé.',
    checkConnection:
      'Veuillez vérifier votre connexion, et si un bloqueur de publicité arrête ce formulaire. Puis réessayez.',
    needsCookies:
      'Votre navigateur refuse les cookies, dont ce formulaire a besoin. Veuillez les autoriser ici et réessayer.',
    tryAgain: 'Réessayer',
    needsScript: 'Le formulaire de carte nécessite JavaScript.',
    due: 'Montant à payer',
    pay: 'Commande avec obligation de paiement',
    processing: 'Traitement…',
    provider:
      'Vos données de carte vont directement à SumUp, notre prestataire de paiement. Cette boutique ne les voit jamais.',
  },
  connection: {
    lost: 'La boutique est injoignable pour le moment.',
    typed:
      'Votre saisie est conservée, et la suite s’affiche automatiquement dès que la connexion est rétablie.',
    unsent: 'Votre carte n’a pas encore été envoyée. Cette page réessaie automatiquement.',
    sent: 'Veuillez ne pas payer à nouveau\u00a0: la suite s’affiche automatiquement dès que la connexion est rétablie.',
    noPayment:
      'La connexion a été interrompue, et aucun paiement avec votre carte n’est arrivé. Veuillez réessayer.',
  },
  withdrawal: {
    notice: 'Vous pouvez vous rétracter de cet achat dans un délai de {days} jours.',
    policy: 'Droit de rétractation',
    notSent: 'L’envoi n’a pas abouti. Veuillez vérifier votre connexion et réessayer.',
  },
  shop: {
    theShop: 'la boutique',
    questions: 'Des questions\u00a0? Écrivez à {shop}\u00a0: {email}',
    questionsElsewhere:
      'Des questions\u00a0? Vous pouvez joindre {shop} par le site ou le message où figurait ce lien.',
  },
  toasts: {
    region: 'Notifications (F8)',
    close: 'Fermer',
    lookAgain: 'Veuillez vérifier à nouveau',
    widgetError: 'Erreur du formulaire de paiement',
    widgetErrorText: 'Le formulaire de paiement ne s’est pas chargé. Veuillez actualiser la page.',
    notReady: 'Paiement pas encore prêt',
    notReadyText: 'Veuillez attendre que le formulaire de paiement se charge.',
    incomplete: 'Veuillez remplir tous les champs obligatoires',
    incompleteText: 'Complétez toutes les informations requises avant de payer.',
    submissionFailed: 'Échec de l’envoi du paiement',
    submissionFailedText: 'Veuillez réessayer ou actualiser la page.',
    orderFailed: 'Échec de la commande',
    orderFailedText: 'La commande n’a pas pu être créée. Veuillez réessayer.',
    paymentFailed: 'Échec du paiement',
    paymentFailedText: 'Veuillez vérifier les données de votre carte et réessayer.',
    expiredText:
      'Le formulaire de paiement avait expiré et rien n’a été débité. Veuillez réessayer.',
    expiredUnknownText: 'Le formulaire de paiement avait expiré. Veuillez réessayer.',
  },
  panels: {
    atBank: {
      title: 'Votre banque vérifie le paiement',
      confirm:
        'Veuillez le confirmer auprès d’elle, par exemple dans votre application bancaire. Inutile de payer à nouveau\u00a0: dès que votre banque aura accepté, votre commande sera enregistrée automatiquement.',
      goesOn: 'La suite s’affiche ici dès que votre banque a répondu.',
      button: 'Je n’ai pas validé le paiement',
      stillThere:
        'Ce paiement est encore chez votre banque, nous ne pouvons donc pas encore ouvrir un nouveau formulaire. Veuillez terminer auprès d’elle ou patienter un peu\u00a0: la suite s’affiche automatiquement.',
      unavailable: 'Cela n’a pas fonctionné. Veuillez réessayer dans un instant.',
    },
    confirming: {
      title: 'Traitement…',
      text: 'La confirmation de votre paiement est en cours. Veuillez garder cette page ouverte un instant.',
    },
    delayed: {
      title: 'Votre paiement est en cours de confirmation',
      text: 'Cela prend plus de temps que d’habitude. Veuillez ne pas payer à nouveau\u00a0: si votre carte a été débitée, votre commande sera enregistrée automatiquement.',
      close:
        'Vous pouvez laisser cette page ouverte\u00a0: la suite s’affiche automatiquement. Vous pouvez aussi la fermer\u00a0: rouverte dans ce navigateur, elle mène à votre commande dès qu’il y en a une.',
    },
    orderRefused: {
      title: 'Votre commande n’a pas pu être créée',
      text: 'Les données de votre carte ont été envoyées et votre carte ne sera pas débitée une seconde fois. Veuillez réessayer de créer la commande.',
    },
    notFound: {
      title: 'Nous ne pouvons pas suivre ce paiement d’ici',
      why: 'Les cookies ont été effacés, le paiement a été commencé dans un autre navigateur, ou la boutique n’en a aucune trace.',
      before:
        'Avant de payer à nouveau, veuillez vérifier si votre carte a été débitée. Si c’est le cas et que vous n’avez aucune confirmation de commande, écrivez à la boutique.',
      sure: 'Si vous avez la certitude de ne pas avoir payé, vous pouvez recommencer.',
      button: 'Recommencer',
    },
    tooManyCards: {
      title: 'Paiement par carte indisponible',
      text: 'Une carte refusée n’est pas débitée. Votre saisie est conservée\u00a0: rechargez cette page plus tard, et le formulaire de carte s’affichera à nouveau.',
    },
    notSold: {
      title: 'Ce produit n’est plus en vente',
      paused: 'Pas en vente pour le moment',
      soldOut: 'Épuisé',
      text: 'Les données de votre carte n’ont pas été envoyées et rien n’a été débité.',
      unknownText:
        'Les données de votre carte n’ont pas été envoyées cette fois. Si votre carte a été débitée lors de la tentative précédente, la boutique est automatiquement informée de ce paiement.',
    },
    review: {
      paid: 'Nous avons reçu votre paiement',
      paidText:
        'Votre paiement est arrivé et la boutique l’examine avant de poursuivre la commande. Inutile de payer à nouveau.',
      paidWithoutDetails:
        'Votre paiement est arrivé, mais pas l’adresse où envoyer votre commande. Veuillez écrire à la boutique pour qu’elle puisse la poursuivre. Inutile de payer à nouveau.',
      uncertain: 'Votre paiement est en cours d’examen',
      uncertainText:
        'On ne sait pas encore avec certitude si votre carte a été débitée, la boutique est donc en train de le vérifier. Veuillez ne pas payer à nouveau d’ici là.',
      whoWrites:
        'La boutique peut vous écrire à l’adresse e-mail que vous avez indiquée. Si vous n’en avez pas encore indiqué, veuillez écrire à la boutique.',
      returned: 'Votre paiement vous a été restitué',
      returnedText:
        'Il a été restitué avant de donner lieu à une commande, rien n’est donc envoyé. Si vous ne vous y attendiez pas, veuillez écrire à la boutique.',
      dismissed: 'Ce paiement n’a pas donné lieu à une commande',
      dismissedText:
        'La boutique a examiné ce paiement et n’a pas créé de commande. Si vous avez une question, veuillez écrire à la boutique.',
    },
  },
  refusals: {
    'product-missing': 'Produit introuvable',
    'page-outdated': 'Ce produit vient d’être modifié. Veuillez revoir la page.',
    'product-paused': 'La boutique a suspendu la vente de ce produit. Veuillez revenir plus tard.',
    'sold-out': 'Tous les exemplaires sont vendus ou en cours de paiement par d’autres personnes.',
    'choice-missing': 'Veuillez choisir l’une des possibilités.',
    'choice-gone': 'Votre choix a été modifié ou n’est plus proposé. Veuillez choisir à nouveau.',
    'value-sold-out':
      'Votre choix est vendu ou en cours de paiement par d’autres personnes. Veuillez choisir à nouveau.',
    'note-needed':
      'Ce produit demande un texte de votre part. Veuillez regarder la page à nouveau.',
    'not-delivered':
      'La boutique ne propose pas ce pays ou ce lieu de retrait. Veuillez choisir à nouveau.',
    'price-changed': 'Le prix a changé. Veuillez le vérifier à nouveau.',
    'price-without-cents':
      'Ce produit ne peut pas être payé, car sa devise n’a pas de centimes. Veuillez le signaler à la boutique.',
    'price-not-payable':
      'Ce produit ne peut pas être payé par carte à ce prix et dans cette devise. Veuillez le signaler à la boutique.',
    'mode-changed':
      'Cette boutique vient de changer son mode de paiement. Veuillez vérifier la page à nouveau.',
    'payments-away':
      'Le paiement par carte n’est pas disponible pour le moment. Veuillez réessayer dans un instant.',
    'too-many-checkouts':
      'Trop de paiements ont été commencés d’ici. Veuillez patienter quelques minutes et réessayer.',
    'too-many-holds':
      'Plusieurs paiements de cet article ont été commencés d’ici sans être terminés. Veuillez réessayer dans une heure ou contacter la boutique.',
    'too-many-cards':
      'Trop de cartes ont été refusées. Veuillez patienter un moment ou contacter la boutique.',
    'too-many-requests': 'Trop de demandes. Veuillez patienter un instant et réessayer.',
    'request-timeout': 'La demande n’est pas arrivée à temps. Veuillez réessayer.',
    unexpected: 'Un problème est survenu de notre côté. Veuillez réessayer.',
    unavailable: 'La boutique est indisponible pour le moment. Veuillez réessayer dans un instant.',
  },
}

export const methods: MethodTexts = {
  otherWays: 'Autres moyens de paiement',
  backToCard: 'Revenir à la carte',
  obliges: 'En payant, vous passez une commande avec obligation de paiement.',
  replaced:
    'Les coordonnées ou la livraison ont été modifiées dans un autre onglet. Veuillez les vérifier à nouveau.',
  noPayment: 'Aucun paiement n’est arrivé. Veuillez réessayer ou payer d’une autre manière.',
  instead: {
    payment: {
      provider:
        'Votre paiement va directement à SumUp, notre prestataire de paiement. Cette boutique ne voit jamais les données de votre carte ou de votre compte.',
      bankPage: 'Le paiement ne continue pas ici\u00a0?',
      leaveBankPage: 'Fermer et attendre le paiement',
    },
    connection: {
      unsent: 'Rien n’a encore été envoyé pour un paiement. Cette page réessaie d’elle-même.',
      noPayment:
        'La connexion a été interrompue et aucun paiement n’est arrivé. Veuillez réessayer.',
    },
    toasts: {
      paymentFailedText: 'Veuillez réessayer ou choisir un autre moyen de paiement.',
    },
    refusals: {
      'price-not-payable':
        'Ce produit ne peut pas être payé à ce prix et dans cette devise. Veuillez le signaler à la boutique.',
      'payments-away':
        'Le paiement n’est pas disponible pour le moment. Veuillez réessayer dans un instant.',
      'too-many-cards':
        'Trop de paiements ont été refusés ou abandonnés. Veuillez patienter un moment ou contacter la boutique.',
    },
    panels: {
      tooManyCards: {
        title: 'Paiement indisponible',
        text: 'Un paiement refusé n’est pas débité. Votre saisie est conservée\u00a0: rechargez cette page plus tard, et le formulaire de paiement s’affichera à nouveau.',
      },
      atBank: {
        title: 'Votre paiement n’est pas encore confirmé',
        confirm:
          'Veuillez le terminer là où vous payez, par exemple dans l’application de votre banque. Inutile de payer à nouveau\u00a0: dès qu’il sera confirmé, votre commande sera enregistrée automatiquement.',
        goesOn: 'La suite s’affiche ici dès que le paiement est confirmé.',
        button: 'Je n’ai pas terminé le paiement',
        stillThere:
          'Ce paiement est encore en cours, nous ne pouvons donc pas encore ouvrir un nouveau formulaire. Veuillez le terminer ou patienter un peu\u00a0: la suite s’affiche automatiquement.',
      },
      delayed: {
        text: 'Cela prend plus de temps que d’habitude. Veuillez ne pas payer à nouveau\u00a0: si vous avez été débité, votre commande sera enregistrée automatiquement.',
      },
      orderRefused: {
        text: 'Votre paiement a été envoyé et vous ne serez pas débité une seconde fois. Veuillez réessayer de créer la commande.',
      },
      notFound: {
        before:
          'Avant de payer à nouveau, veuillez vérifier si vous avez été débité. Si c’est le cas et que vous n’avez aucune confirmation de commande, écrivez à la boutique.',
      },
      notSold: {
        text: 'Votre paiement n’a pas été envoyé et rien n’a été débité.',
        unknownText:
          'Votre paiement n’a pas été envoyé cette fois. Si vous avez été débité lors de la tentative précédente, la boutique est automatiquement informée de ce paiement.',
      },
      review: {
        uncertainText:
          'On ne sait pas encore avec certitude si vous avez été débité, la boutique est donc en train de le vérifier. Veuillez ne pas payer à nouveau d’ici là.',
      },
    },
  },
}

export const prices: PriceTexts = {
  discount: 'Remise ({code})',
  pickup: 'Retrait sur place',
  plusShipping: '{amount} + livraison',
  countryFirst:
    'Choisissez un pays ci-dessus pour voir les frais de livraison. Vous pourrez ensuite payer ici.',
  announced: 'Livraison\u00a0: {shipping}. Total\u00a0: {total}.',
  refusals: {
    'country-needed': 'Les frais de livraison dépendent du pays. Veuillez en choisir un.',
    'terms-changed':
      'Ce prix était prévu pour une autre livraison. Veuillez le vérifier à nouveau.',
    'code-unknown': 'Le code de remise n’est plus valable. Veuillez vérifier le prix sans ce code.',
    'code-used-up':
      'Le code de remise a été épuisé par d’autres personnes. Veuillez vérifier le prix sans ce code.',
  },
}

export const pages: PageTexts = {
  titles: {
    checkout: '{product} · Commande',
    paused: '{product} · En pause',
    soldOut: '{product} · Épuisé',
    thankYou: 'Merci\u00a0! · {shop}',
  },
  language: 'Langue',
  checkout: {
    title: 'Commande',
    testMode: 'Mode test',
    needsScript:
      'Pour payer ici, JavaScript est nécessaire. Veuillez l’activer et recharger cette page.',
    summary: 'Récapitulatif',
    showSummary: 'Afficher le récapitulatif',
    hideSummary: 'Masquer le récapitulatif',
    quantity: 'Quantité\u00a0: {count}',
    fewLeft: 'Plus que {count} en stock',
    subtotal: 'Sous-total',
    shipping: 'Livraison',
    free: 'Gratuite',
    total: 'Total',
    codeNotValid:
      'Le code de remise du lien n’est pas valable pour cet achat. Le prix est indiqué sans ce code.',
  },
  recent: {
    label: 'Votre dernière commande',
    justNow: 'Vous venez d’acheter ce produit.',
    oneMinute: 'Vous avez acheté ce produit il y a 1 minute.',
    minutes: 'Vous avez acheté ce produit il y a {minutes} minutes.',
    isTest: 'C’était une commande de test\u00a0: rien n’a été débité.',
    isPaid: 'Il est payé, inutile de payer à nouveau.',
    see: 'Voir votre commande',
  },
  footer: {
    newTab: '(s’ouvre dans un nouvel onglet)',
    close: 'Fermer',
    thisShop: 'cette boutique',
    atStart: 'Cette boutique',
    writeTo: 'Écrivez à {email}.',
    reach: 'Vous pouvez joindre {shop} par le site ou le message où figurait ce lien.',
    refund: 'Remboursements',
    refundTexts: [
      'Si quelque chose ne va pas avec votre commande, contactez {shop}. {contact}',
      'Veuillez indiquer votre numéro de commande\u00a0; il figure sur la page affichée après votre achat et dans chaque e-mail concernant votre commande. {refunds} Vos droits légaux restent inchangés.',
    ],
    refundsToCard: 'Les remboursements sont faits sur la carte utilisée.',
    refundsOtherwise: 'Les remboursements sont faits par le moyen de paiement utilisé.',
    shipping: 'Conditions de livraison',
    shippingTexts: [
      '{theShop} envoie votre commande en livraison standard à l’adresse que vous indiquez ici. La livraison est gratuite.',
      'Des questions sur votre livraison\u00a0? {contact}',
    ],
    pricedShippingTexts: [
      '{theShop} envoie votre commande en livraison standard à l’adresse que vous indiquez ici. Le prix de la livraison est affiché avant le paiement.',
      'Des questions sur votre livraison\u00a0? {contact}',
    ],
    pickupText: 'Vous pouvez retirer votre commande ici\u00a0: {place}',
    privacy: 'Confidentialité',
    privacyTexts: [
      '{theShop} utilise ce que vous indiquez ici pour traiter votre commande, la livrer et vous écrire à son sujet. Les actualités ne sont envoyées que si vous le demandez.',
      'Vos données de carte vont directement à SumUp, le prestataire de paiement. La boutique ne les voit pas et ne les conserve pas. Si vous choisissez d’enregistrer vos informations, elles restent sur cet appareil.',
      'Pour consulter, corriger ou supprimer ce qui est conservé à votre sujet\u00a0: {contact}',
    ],
    terms: 'Conditions de vente',
    termsTexts: [
      'En payant, vous commandez auprès de {shop} le produit présenté ici pour le montant total indiqué ici. Le contrat est conclu lorsque le paiement est confirmé{mailed}.',
      'Des questions\u00a0? {contact}',
    ],
    termsMailed: '\u00a0; un e-mail vous en informe',
    contact: 'Contact',
    contactTexts: [
      'Vous achetez auprès de {shop}. Aucune adresse e-mail n’est indiquée ici. {contact}',
    ],
    imprint: 'Mentions légales',
    vatNumber: 'Numéro de TVA\u00a0: {number}',
  },
  missing: {
    'Product not found': 'Produit introuvable',
    'Order not found': 'Commande introuvable',
    'Page Not Found': 'Page introuvable',
    productReason:
      'Ce produit n’est plus en vente, ou le lien est incomplet. Veuillez en demander un nouveau à la boutique qui vous l’a envoyé.',
    orderReason:
      'Il n’y a pas de commande à cette adresse. Veuillez vérifier que le lien est complet.',
    lostOrderReason:
      'La boutique a été rétablie à partir d’une sauvegarde et ne connaît peut-être pas encore les dernières commandes. Si vous avez payé, il n’est pas nécessaire de payer à nouveau : veuillez écrire à la boutique pour qu’elle recherche votre commande.',
    pageReason:
      'Il n’y a rien à cette adresse. Vérifiez que le lien est complet, ou demandez-en un nouveau à la boutique qui vous l’a envoyé.',
  },
  paused: {
    title: 'Pas en vente pour le moment',
    text: 'La boutique a suspendu la\u00a0vente\u00a0de\u00a0«\u00a0{product}\u00a0». Veuillez revenir plus tard. Si vous venez de payer, votre commande suit son cours normalement.',
  },
  soldOut: {
    title: 'Épuisé',
    text: 'Tous les exemplaires de «\u00a0{product}\u00a0» sont vendus ou en cours de paiement par d’autres personnes. Si vous venez de payer, votre commande suit son cours normalement.',
  },
  problem: 'Cette page n’est pas disponible pour le moment',
  thankYou: {
    yourOrder: 'Votre commande',
    title: 'Merci\u00a0!',
    confirmed: 'Votre commande est confirmée',
    mailSent: 'Un e-mail de confirmation est en route vers {email}',
    mailOfTest: 'Comme il s’agit d’un test, aucun e-mail de confirmation n’est envoyé à {email}',
    noMails: 'Cette boutique n’envoie pas d’e-mails. Veuillez conserver l’adresse de cette page.',
    testOrder: 'Commande test\u00a0:',
    testNote: 'rien n’a été débité, rien ne sera livré.',
    orderNumber: 'Numéro de commande',
    copyOrderNumber: 'Copier le n° de commande',
    status: 'Statut',
    date: 'Date',
    parcel: 'Colis',
    copyTracking: 'Copier le numéro de suivi',
    track: 'Suivre votre colis',
    shippingAddress: 'Adresse de livraison',
    pickupAt: 'Retrait à',
    pickupHours: 'Horaires d’ouverture',
    billingAddress: 'Adresse de facturation',
    paymentMethod: 'Mode de paiement',
    card: 'Carte',
    preparing: 'En préparation',
    onItsWay: 'En chemin',
    readyForPickup: 'Prête à être retirée',
    completed: 'Terminée',
    vat: 'Dont TVA {rate}\u00a0%',
    sellersVatNumber: 'Numéro de TVA {number}',
    print: 'Imprimer',
    changedYourMind: 'Vous avez changé d’avis\u00a0?',
    next: 'Et maintenant\u00a0?',
    done: '(fait)',
    steps: {
      paid: 'La boutique a bien reçu votre commande et votre paiement',
      unpaid: 'La boutique a bien reçu votre commande',
      packed: 'Votre commande est préparée et emballée',
      sent: 'Votre colis est en chemin en livraison standard',
      pickup: 'Vous pouvez retirer votre commande',
    },
    testSteps: {
      paid: 'La boutique a votre commande de test, et aucun paiement',
      packed: 'Une vraie commande serait maintenant préparée et emballée',
      sent: 'Un vrai colis serait ensuite en chemin en livraison standard',
      pickup: 'Une vraie commande pourrait ensuite être retirée',
    },
  },
  returned: {
    titles: {
      refund: 'Votre commande a été remboursée',
      chargeback: 'Votre banque a repris le paiement à la boutique',
      both: 'Votre paiement a été remboursé et repris',
    },
    labels: {
      refund: 'Remboursement',
      chargeback: 'Reprise par la banque',
      both: 'Remboursement et reprise',
    },
    refunded:
      'Un remboursement de {amount} a été fait sur votre carte. Quelques jours peuvent passer avant que votre relevé de carte ne l’indique.',
    chargedBack: 'Votre banque a repris {amount} à la boutique.',
    refundedOtherwise:
      'Un remboursement de {amount} a été fait par le moyen de paiement utilisé. Quelques jours peuvent passer avant que vous ne l’y voyiez.',
    chargedBackOtherwise:
      'Votre banque ou votre service de paiement a repris {amount} à la boutique.',
  },
  withdrawal: {
    here: 'Renoncer au contrat ici',
    confirm: 'Confirmer la rétractation',
    policy: 'Droit de rétractation',
    received: 'Votre rétractation a été reçue',
    which: 'Dites-nous de quel achat vous vous rétractez. Vous n’avez pas à donner de motif.',
    name: 'Votre nom',
    orderNumber: 'Numéro de commande',
    orderNumberHint:
      'Il figure sur la page affichée après votre achat et dans chaque e-mail à son sujet.',
    email: 'E-mail',
    emailHint: 'L’adresse utilisée pour votre achat.',
    continue: 'Continuer',
    change: 'Modifier les données',
    aboutToState: 'Vous allez déclarer\u00a0:',
    statement:
      'Je vous notifie par la présente ma rétractation du contrat de vente portant sur la commande {orderNumber}.',
    receivedText:
      'Nous avons reçu votre rétractation le {receivedAt}. Nous en accusons réception par e-mail à {email}, avec son contenu, la date et l’heure, sauf si trop de ces e-mails ont été envoyés au cours de la dernière heure.',
    receivedTestText:
      'Nous avons reçu votre rétractation le {receivedAt}. Nous en accusons réception par e-mail à {email} seulement si le numéro et l’adresse correspondent à une commande qui n’était pas un test, et sauf si trop de ces e-mails ont été envoyés au cours de la dernière heure.',
    receivedUnmailedText:
      'Nous avons reçu votre rétractation le {receivedAt}. Cette boutique n’envoie pas d’e-mails\u00a0: veuillez conserver une copie de cette page.',
  },
}

export const withdrawal: WithdrawalTexts = {
  theShop: 'la boutique',
  confirmed:
    ' Nous vous confirmons alors sans délai par e-mail que nous avons reçu votre rétractation.',
  instructions: [
    'Vous avez le droit de vous rétracter du présent contrat sans donner de motif dans un délai de quatorze jours. Le délai de rétractation expire quatorze jours après le jour où vous-même, ou un tiers autre que le transporteur et désigné par vous, prend physiquement possession du bien.',
    'Pour exercer le droit de rétractation, vous devez nous notifier ({seller}) votre décision de rétractation du présent contrat au moyen d’une déclaration dénuée d’ambiguïté (par exemple, lettre envoyée par la poste ou courrier électronique). Vous pouvez utiliser le modèle de formulaire de rétractation ci-dessous, mais ce n’est pas obligatoire.',
    'Vous pouvez aussi exercer votre droit de rétractation en ligne\u00a0: choisissez «\u00a0{here}\u00a0» au bas de la page où vous avez acheté, ou sur la page de votre commande.{confirmed}',
    'Pour que le délai de rétractation soit respecté, il suffit que vous transmettiez votre communication relative à l’exercice du droit de rétractation avant l’expiration du délai de rétractation.',
    'En cas de rétractation de votre part du présent contrat, nous vous rembourserons tous les paiements reçus de vous, y compris les frais de livraison standard, sans retard excessif et, en tout état de cause, au plus tard quatorze jours à compter du jour où nous sommes informés de votre décision de rétractation du présent contrat. Nous procéderons au remboursement en utilisant le même moyen de paiement que celui que vous aurez utilisé pour la transaction initiale, sauf si vous convenez expressément d’un moyen différent\u00a0; en tout état de cause, ce remboursement n’occasionnera pas de frais pour vous. Nous pouvons différer le remboursement jusqu’à ce que nous ayons reçu le bien ou jusqu’à ce que vous ayez fourni une preuve d’expédition du bien, la date retenue étant celle du premier de ces faits.',
    'Vous devrez renvoyer ou rendre le bien à nous-mêmes sans retard excessif et, en tout état de cause, au plus tard quatorze jours après que vous nous aurez communiqué votre décision de rétractation du présent contrat. Ce délai est réputé respecté si vous renvoyez le bien avant l’expiration du délai de quatorze jours. Vous devrez prendre en charge les frais directs de renvoi du bien. Votre responsabilité n’est engagée qu’à l’égard de la dépréciation du bien résultant de manipulations autres que celles nécessaires pour établir la nature, les caractéristiques et le bon fonctionnement de ce bien.',
    'Le droit de rétractation ne s’applique pas aux biens confectionnés selon vos spécifications ou nettement personnalisés, ni aux biens susceptibles de se détériorer ou de se périmer rapidement.',
  ],
  form: [
    'Modèle de formulaire de rétractation',
    '(Veuillez compléter et renvoyer le présent formulaire uniquement si vous souhaitez vous rétracter du contrat.)',
    'À l’attention de\u00a0: {seller}',
    'Je/Nous (*) vous notifie/notifions (*) par la présente ma/notre (*) rétractation du contrat portant sur la vente du bien ci-dessous\u00a0:',
    'Commandé le (*) / reçu le (*)\u00a0:',
    'Nom du (des) consommateur(s)\u00a0:',
    'Adresse du (des) consommateur(s)\u00a0:',
    'Signature du (des) consommateur(s) (uniquement en cas de notification du présent formulaire sur papier)\u00a0:',
    'Date\u00a0:',
    '(*) Rayez la mention inutile.',
  ],
}
