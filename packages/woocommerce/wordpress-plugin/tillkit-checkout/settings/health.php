<?php
/** The results of the health panel: checks of the checkout server and checks of the shop itself. */

defined( 'ABSPATH' ) || exit;

/** @return array<int,array{ok:bool,about:string,text:string}> */
function tillkit_health_results( array $answer, ?WC_Order $order, int $now ): array {
	$results = array(
		tillkit_clock_result( (int) ( $answer['time'] ?? 0 ) - $now ),
		tillkit_environment_result( tillkit_text_field( $answer, 'environment' ) ),
		tillkit_checkout_server_result( __( 'Payment service', 'tillkit-checkout' ), $answer['service'] ?? null ),
		tillkit_checkout_server_result( __( 'Shop', 'tillkit-checkout' ), $answer['shop'] ?? null ),
		tillkit_checkout_server_result( __( 'Webhook', 'tillkit-checkout' ), $answer['webhook'] ?? null ),
		tillkit_currency_result( (array) ( $answer['currencies'] ?? array() ) ),
		tillkit_decimals_result( (array) ( $answer['decimals'] ?? array() ) ),
		tillkit_amount_result( $answer['amount'] ?? null, $order ),
	);
	if ( '' === (string) get_option( 'permalink_structure', '' ) ) {
		$results[] = tillkit_health_result( false, __( 'Permalinks', 'tillkit-checkout' ), __( 'Choose “Post name” under Settings, Permalinks. Otherwise the checkout server cannot call this shop.', 'tillkit-checkout' ) );
	}
	return $results;
}

function tillkit_health_result( bool $ok, string $about, string $text ): array {
	return compact( 'ok', 'about', 'text' );
}

/** @param int $difference_seconds The checkout server's time minus the shop's. */
function tillkit_clock_result( int $difference_seconds ): array {
	$ok = abs( $difference_seconds ) <= 60;
	/* translators: %d: a number of seconds */
	$differ = __( 'The clocks differ by %d seconds: synchronise both clocks (NTP).', 'tillkit-checkout' );
	$text   = $ok ? __( 'The clocks of the shop and the checkout server agree.', 'tillkit-checkout' ) : sprintf( $differ, abs( $difference_seconds ) );
	return tillkit_health_result( $ok, __( 'Clock', 'tillkit-checkout' ), $text );
}

function tillkit_environment_result( string $environment ): array {
	$badge = tillkit_has_test_badge();
	$about = __( 'Environment', 'tillkit-checkout' );
	if ( 'test' === $environment ) {
		$text = $badge
			? __( 'Test mode: no real money moves.', 'tillkit-checkout' )
			: __( 'Test mode: no real money moves, but shoppers cannot see that. Enable the test badge.', 'tillkit-checkout' );
		return tillkit_health_result( $badge, $about, $text );
	}
	return tillkit_health_result( true, $about, __( 'Live mode: real money moves.', 'tillkit-checkout' ) );
}

function tillkit_currency_result( array $accepted ): array {
	$currency = (string) get_woocommerce_currency();
	$ok       = in_array( $currency, $accepted, true );
	/* translators: %s: a currency's code */
	$accepted_text = __( 'The checkout server accepts %s.', 'tillkit-checkout' );
	/* translators: %s: a currency's code */
	$not_accepted_text = __( 'The checkout server does not accept %s: add this currency to this store in the configuration of the checkout server.', 'tillkit-checkout' );
	return tillkit_health_result( $ok, __( 'Currency', 'tillkit-checkout' ), sprintf( $ok ? $accepted_text : $not_accepted_text, $currency ) );
}

/**
 * WooCommerce starts with two decimals for every currency. An order with a fraction of a franc could not be paid.
 *
 * @param array<string,int> $required By currency, from the checkout server.
 */
function tillkit_decimals_result( array $required ): array {
	$about         = __( 'Decimals', 'tillkit-checkout' );
	$currency      = (string) get_woocommerce_currency();
	$shop_decimals = (int) wc_get_price_decimals();
	if ( ! isset( $required[ $currency ] ) ) {
		return tillkit_health_result( false, $about, __( 'Not checked.', 'tillkit-checkout' ) );
	}
	/* translators: %s: a currency's code */
	$exact = sprintf( __( 'The shop and the payment service use the same number of decimals for %s.', 'tillkit-checkout' ), $currency );
	/* translators: 1: a currency's code, 2: the number of decimals it has, 3: the number that the shop has set */
	$wrong = sprintf( __( 'Set the number of decimals to %2$d under WooCommerce, Settings, General. For %1$s the shop has %3$d.', 'tillkit-checkout' ), $currency, (int) $required[ $currency ], $shop_decimals );
	return $shop_decimals === $required[ $currency ] ? tillkit_health_result( true, $about, $exact ) : tillkit_health_result( false, $about, $wrong );
}

/** The number that is sent for a real order, and the amount that the hosted page must show. A wrong factor of 100 becomes visible. */
function tillkit_amount_result( $reported, ?WC_Order $order ): array {
	$about = __( 'Amount', 'tillkit-checkout' );
	if ( ! is_array( $reported ) ) {
		return tillkit_health_result( false, $about, __( 'Not checked.', 'tillkit-checkout' ) );
	}
	$shown = isset( $reported['shown'] ) && is_array( $reported['shown'] ) ? tillkit_text_field( $reported['shown'], 'text' ) : '';
	$sent  = $reported['wire_amount'] ?? null;
	if ( true !== ( $reported['ok'] ?? false ) || '' === $shown || ! is_int( $sent ) ) {
		return tillkit_health_result( false, $about, tillkit_text_field( $reported, 'message' ) );
	}
	if ( null === $order ) {
		$example = tillkit_amount_to_check( null );
		/* translators: 1: an amount as the shop shows it, 2: a whole number, 3: the amount as the hosted page must show it */
		$text = __( 'This shop has no order yet, so an example of %1$s is checked: the payment service receives the number %2$d. Open a hosted page below: it must ask for %3$s.', 'tillkit-checkout' );
		return tillkit_health_result( true, $about, sprintf( $text, tillkit_shown_price( $example['amount'], $example['currency'] ), $sent, $shown ) );
	}
	/* translators: 1: an order's number, 2: its total as the shop shows it, 3: a whole number, 4: the total as the hosted page must show it */
	$text = __( 'Order %1$s: the total is %2$s, and the payment service receives the number %3$d. Open a hosted page below: it must ask for %4$s.', 'tillkit-checkout' );
	return tillkit_health_result( true, $about, sprintf( $text, $order->get_order_number(), tillkit_shown_total( $order ), $sent, $shown ) );
}

/** The result of a check that the checkout server made. `$reported` is null if the check was not made. */
function tillkit_checkout_server_result( string $about, $reported ): array {
	$ok = is_array( $reported ) && true === ( $reported['ok'] ?? false );
	return tillkit_health_result( $ok, $about, is_array( $reported ) ? tillkit_text_field( $reported, 'message' ) : __( 'Not checked.', 'tillkit-checkout' ) );
}
