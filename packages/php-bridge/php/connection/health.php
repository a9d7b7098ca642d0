<?php
/** The results of the health panel: checks of the checkout server, and of the shop with its answer. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** The example of euros and dollars has cents, which make a wrong factor of 100 visible. */
const TILLKIT_EXAMPLE_AMOUNTS = array(
	'XOF' => '5000',
	'EUR' => '19.99',
	'USD' => '19.99',
);

/**
 * The amount that is checked: the total of the newest order, or an example before the first order exists.
 *
 * @return array{amount:string,currency:string}
 */
function tillkit_amount_to_check( ?Tillkit_Order $order ): array {
	$currency = null === $order ? tillkit_host()->shop()['currency'] : $order->currency();
	return array(
		'amount'   => null === $order ? TILLKIT_EXAMPLE_AMOUNTS[ $currency ] ?? '19.99' : $order->total(),
		'currency' => $currency,
	);
}

/**
 * Asks the checkout server for its checks, with the amount of the newest order.
 *
 * @return array|Tillkit_Error
 */
function tillkit_call_health( ?Tillkit_Order $order ) {
	$fields = array(
		'language' => tillkit_host()->language(),
		'webhook'  => true,
	);
	$answer = tillkit_call_checkout_server( 'health', tillkit_amount_to_check( $order ) + $fields );
	if ( ! $answer instanceof Tillkit_Error ) {
		tillkit_remember_environment( tillkit_text_field( $answer, 'environment' ) );
	}
	return $answer;
}

/** @return array<int,array{ok:bool,about:string,text:string}> */
function tillkit_health_results( array $answer, ?Tillkit_Order $order, int $now ): array {
	return array(
		tillkit_clock_result( (int) ( $answer['time'] ?? 0 ) - $now ),
		tillkit_environment_result( tillkit_text_field( $answer, 'environment' ) ),
		tillkit_checkout_server_result( tillkit_text( 'Payment service' ), $answer['service'] ?? null ),
		tillkit_checkout_server_result( tillkit_text( 'Shop' ), $answer['shop'] ?? null ),
		tillkit_checkout_server_result( tillkit_text( 'Webhook' ), $answer['webhook'] ?? null ),
		tillkit_currency_result( (array) ( $answer['currencies'] ?? array() ) ),
		tillkit_decimals_result( (array) ( $answer['decimals'] ?? array() ) ),
		tillkit_amount_result( $answer['amount'] ?? null, $order ),
	);
}

function tillkit_health_result( bool $ok, string $about, string $text ): array {
	return compact( 'ok', 'about', 'text' );
}

/** @param int $difference_seconds The checkout server's time minus the shop's. */
function tillkit_clock_result( int $difference_seconds ): array {
	$ok = abs( $difference_seconds ) <= 60;
	/* translators: %d: a number of seconds */
	$differ = tillkit_text( 'The clocks differ by %d seconds: synchronise both clocks (NTP).' );
	$text   = $ok ? tillkit_text( 'The clocks of the shop and the checkout server agree.' ) : sprintf( $differ, abs( $difference_seconds ) );
	return tillkit_health_result( $ok, tillkit_text( 'Clock' ), $text );
}

function tillkit_environment_result( string $environment ): array {
	$badge = tillkit_has_test_badge();
	$about = tillkit_text( 'Environment' );
	if ( 'test' === $environment ) {
		$text = $badge
			? tillkit_text( 'Test mode: no real money moves.' )
			: tillkit_text( 'Test mode: no real money moves, but shoppers cannot see that. Enable the test badge.' );
		return tillkit_health_result( $badge, $about, $text );
	}
	return tillkit_health_result( true, $about, tillkit_text( 'Live mode: real money moves.' ) );
}

function tillkit_currency_result( array $accepted ): array {
	$currency = tillkit_host()->shop()['currency'];
	$ok       = in_array( $currency, $accepted, true );
	/* translators: %s: a currency's code */
	$accepted_text = tillkit_text( 'The checkout server accepts %s.' );
	/* translators: %s: a currency's code */
	$not_accepted_text = tillkit_text( 'The checkout server does not accept %s: add this currency to this store in the configuration of the checkout server.' );
	return tillkit_health_result( $ok, tillkit_text( 'Currency' ), sprintf( $ok ? $accepted_text : $not_accepted_text, $currency ) );
}

/**
 * Shops start with two decimals for every currency. An order with a fraction of a franc could not be paid.
 *
 * @param array<string,int> $required By currency, from the checkout server.
 */
function tillkit_decimals_result( array $required ): array {
	$about         = tillkit_text( 'Decimals' );
	$currency      = tillkit_host()->shop()['currency'];
	$shop_decimals = tillkit_host()->shop()['decimals'];
	if ( ! isset( $required[ $currency ] ) ) {
		return tillkit_health_result( false, $about, tillkit_text( 'Not checked.' ) );
	}
	/* translators: %s: a currency's code */
	$exact = sprintf( tillkit_text( 'The shop and the payment service use the same number of decimals for %s.' ), $currency );
	/* translators: 1: a currency's code, 2: the number of decimals it has, 3: the number that the shop has set */
	$wrong = sprintf( tillkit_text( 'Set the number of decimals of %1$s to %2$d in the settings of the shop: it has %3$d.' ), $currency, (int) $required[ $currency ], $shop_decimals );
	return $shop_decimals === $required[ $currency ] ? tillkit_health_result( true, $about, $exact ) : tillkit_health_result( false, $about, $wrong );
}

/** The number that is sent for a real order, and the amount that the hosted page must show. A wrong factor of 100 becomes visible. */
function tillkit_amount_result( $reported, ?Tillkit_Order $order ): array {
	$about   = tillkit_text( 'Amount' );
	$checked = tillkit_amount_to_check( $order );
	$amount  = tillkit_host()->price_text( $checked['amount'], $checked['currency'] );
	if ( ! is_array( $reported ) ) {
		return tillkit_health_result( false, $about, tillkit_text( 'Not checked.' ) );
	}
	$shown = isset( $reported['shown'] ) && is_array( $reported['shown'] ) ? tillkit_text_field( $reported['shown'], 'text' ) : '';
	$sent  = $reported['wire_amount'] ?? null;
	if ( true !== ( $reported['ok'] ?? false ) || '' === $shown || ! is_int( $sent ) ) {
		return tillkit_health_result( false, $about, tillkit_text_field( $reported, 'message' ) );
	}
	if ( null === $order ) {
		/* translators: 1: an amount as the shop shows it, 2: a whole number, 3: the amount as the hosted page must show it */
		$text = tillkit_text( 'This shop has no order yet, so an example of %1$s is checked: the payment service receives the number %2$d. Open a hosted page below: it must ask for %3$s.' );
		return tillkit_health_result( true, $about, sprintf( $text, $amount, $sent, $shown ) );
	}
	/* translators: 1: an order's number, 2: its total as the shop shows it, 3: a whole number, 4: the total as the hosted page must show it */
	$text = tillkit_text( 'Order %1$s: the total is %2$s, and the payment service receives the number %3$d. Open a hosted page below: it must ask for %4$s.' );
	return tillkit_health_result( true, $about, sprintf( $text, $order->number(), $amount, $sent, $shown ) );
}

/** The result of a check that the checkout server made. `$reported` is null if the check was not made. */
function tillkit_checkout_server_result( string $about, $reported ): array {
	$ok = is_array( $reported ) && true === ( $reported['ok'] ?? false );
	return tillkit_health_result( $ok, $about, is_array( $reported ) ? tillkit_text_field( $reported, 'message' ) : tillkit_text( 'Not checked.' ) );
}

/** Without this class WordPress replaces the sign by a picture that the browser loads from another server. */
const TILLKIT_WARNING_SIGN_HTML = '<span class="wp-exclude-emoji">⚠</span> ';

/** @param array<int,array{ok:bool,about:string,text:string}> $results */
function tillkit_health_results_html( array $results ): string {
	$rows = '';
	foreach ( $results as $result ) {
		$label = $result['ok'] ? tillkit_text( 'OK' ) : tillkit_text( 'Needs attention' );
		$rows .= '<tr><td class="tillkit-result">' . ( $result['ok'] ? '✓ ' : TILLKIT_WARNING_SIGN_HTML ) . tillkit_html( $label ) . '</td>';
		$rows .= '<th scope="row">' . tillkit_html( $result['about'] ) . '</th><td>' . tillkit_html( $result['text'] ) . '</td></tr>';
	}
	return '<table class="widefat striped table tillkit-health"><tbody>' . $rows . '</tbody></table>';
}

/**
 * Checks shop and checkout server with the amount of an order, or with an example where there is none.
 *
 * @param array<int,array{ok:bool,about:string,text:string}> $own_results What only this platform can be asked.
 */
function tillkit_health_html( ?Tillkit_Order $order, array $own_results, int $now ): string {
	$answer = tillkit_call_health( $order );
	if ( $answer instanceof Tillkit_Error ) {
		return tillkit_warning_html( $answer ) . ( array() === $own_results ? '' : tillkit_health_results_html( $own_results ) );
	}
	$results = tillkit_health_results( $answer, $order, $now );
	$links   = array( tillkit_text_field( $answer, 'operators_url' ) => tillkit_text( 'Open the operators’ pages of the checkout server' ) );
	return tillkit_health_results_html( array_merge( $results, $own_results ) ) . tillkit_links_html( $links );
}

/** A hosted page with the amount of an order or with an example, without an order and for the owner only. */
function tillkit_preview_html( ?Tillkit_Order $order ): string {
	$answer = tillkit_call_checkout_server( 'preview', tillkit_amount_to_check( $order ) + array( 'language' => tillkit_host()->language() ) );
	return $answer instanceof Tillkit_Error ? tillkit_warning_html( $answer ) : tillkit_links_html( array( tillkit_text_field( $answer, 'url' ) => tillkit_text( 'Open the hosted page' ) ) );
}
