/* Written by `npm run client-types` from the schemas of the bridge. */

export interface AirlineFields {
  readonly totalTaxAmount?: string | undefined;
  readonly totalFeesAmount?: string | undefined;
  readonly totalFareAmount?: string | undefined;
  readonly ticketIssueDate?: string | undefined;
  readonly ticketIssueAddress?: string | undefined;
  readonly thirdPartyBooking?: string | undefined;
  readonly bookingtype?: string | undefined;
  readonly ticketDeliveryMethod?: string | undefined;
  readonly bookingRefNum?: string | undefined;
  readonly agentName?: string | undefined;
  readonly agentCode?: string | undefined;
  readonly passengers?:
    | readonly {
        readonly type?: string | undefined;
        readonly name?: string | undefined;
        readonly ticketRestricted?: string | undefined;
        readonly ticketNumber?: string | undefined;
        readonly status?: string | undefined;
        readonly phone?: string | undefined;
        readonly frequentFlyerNumber?: string | undefined;
        readonly email?: string | undefined;
        readonly dob?: string | undefined;
        readonly checkDigit?: string | undefined;
        readonly residenceCountry?: string | undefined;
        readonly legs?:
          | readonly {
              readonly taxAmount?: string | undefined;
              readonly feesAmount?: string | undefined;
              readonly fareAmount?: string | undefined;
              readonly departureTaxAmount?: string | undefined;
              readonly ticketNumber?: string | undefined;
              readonly stopOverAllowed?: string | undefined;
              readonly restrictions?: string | undefined;
              readonly flightNumber?: string | undefined;
              readonly fareBasis?: string | undefined;
              readonly exchangeTicketNum?: string | undefined;
              readonly departureCountry?: string | undefined;
              readonly departureAirport?: string | undefined;
              readonly airlineName?: string | undefined;
              readonly airlineCode?: string | undefined;
              readonly departureTime?: string | undefined;
              readonly arrivalCountry?: string | undefined;
              readonly arrivalAirport?: string | undefined;
              readonly arrivalTime?: string | undefined;
              readonly couponNumber?: string | undefined;
              readonly classOfService?: string | undefined;
              readonly carrierCode?: string | undefined;
              readonly departureDate?: string | undefined;
              readonly arrivalDate?: string | undefined;
              readonly timeToDeparture?: string | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
}
