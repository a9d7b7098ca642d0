<?php
/** What the health panel asks for, and the checks that the shop makes itself. */

defined( 'ABSPATH' ) || exit;

/** @return array<int,array{ok:bool,about:string,text:string}> */
function tillkit_health_findings( array $answer, ?WC_Order $order, int $now ): array {
	$findings = array(
		tillkit_clock_finding( (int) ( $answer['time'] ?? 0 ) - $now ),
		tillkit_environment_finding( tillkit_text_of( $answer, 'environment' ) ),
		tillkit_told_finding( __( 'Payment service', 'tillkit-checkout' ), $answer['service'] ?? null ),
		tillkit_told_finding( __( 'Shop', 'tillkit-checkout' ), $answer['shop'] ?? null ),
		tillkit_told_finding( __( 'Webhook', 'tillkit-checkout' ), $answer['webhook'] ?? null ),
		tillkit_currency_finding( (array) ( $answer['currencies'] ?? array() ) ),
		tillkit_decimals_finding( (array) ( $answer['decimals'] ?? array() ) ),
		tillkit_amount_finding( $answer['amount'] ?? null, $order ),
	);
	if ( '' === (string) get_option( 'permalink_structure', '' ) ) {
		$findings[] = tillkit_finding( false, __( 'Permalinks', 'tillkit-checkout' ), __( 'Choose “Post name” under Settings, Permalinks: the companion cannot call this shop otherwise.', 'tillkit-checkout' ) );
	}
	return $findings;
}

function tillkit_finding( bool $ok, string $about, string $text ): array {
	return compact( 'ok', 'about', 'text' );
}

/** @param int $ahead Seconds by which the companion's clock is ahead. */
function tillkit_clock_finding( int $ahead ): array {
	$ok = abs( $ahead ) <= 60;
	/* translators: %d: a number of seconds */
	$differ = __( 'The clocks differ by %d seconds: set both by the network’s time.', 'tillkit-checkout' );
	$text   = $ok ? __( 'Shop and companion have the same time.', 'tillkit-checkout' ) : sprintf( $differ, abs( $ahead ) );
	return tillkit_finding( $ok, __( 'Clock', 'tillkit-checkout' ), $text );
}

function tillkit_environment_finding( string $environment ): array {
	$badge = tillkit_settings()['test'];
	$about = __( 'Environment', 'tillkit-checkout' );
	if ( 'test' === $environment ) {
		$text = $badge
			? __( 'Test: no real money moves.', 'tillkit-checkout' )
			: __( 'Test: no real money moves, and shoppers do not see it. Switch the test badge on.', 'tillkit-checkout' );
		return tillkit_finding( $badge, $about, $text );
	}
	$text = $badge
		? __( 'Live: real money moves, but the title says “test”. Switch the test badge off.', 'tillkit-checkout' )
		: __( 'Live: real money moves.', 'tillkit-checkout' );
	return tillkit_finding( ! $badge, $about, $text );
}

function tillkit_currency_finding( array $taken ): array {
	$currency = (string) get_woocommerce_currency();
	$ok       = in_array( $currency, $taken, true );
	/* translators: %s: a currency's code */
	$takes = __( 'The companion takes %s.', 'tillkit-checkout' );
	/* translators: %s: a currency's code */
	$takes_not = __( 'The companion does not take %s: add it to this store’s currencies there.', 'tillkit-checkout' );
	return tillkit_finding( $ok, __( 'Currency', 'tillkit-checkout' ), sprintf( $ok ? $takes : $takes_not, $currency ) );
}

/**
 * WooCommerce begins with two decimals, whatever the currency: an order of half a franc could not be paid.
 *
 * @param array<string,int> $needed Of each currency that the companion takes.
 */
function tillkit_decimals_finding( array $needed ): array {
	$about    = __( 'Decimals', 'tillkit-checkout' );
	$currency = (string) get_woocommerce_currency();
	$has      = (int) wc_get_price_decimals();
	if ( ! isset( $needed[ $currency ] ) ) {
		return tillkit_finding( false, $about, __( 'Not checked.', 'tillkit-checkout' ) );
	}
	/* translators: %s: a currency's code */
	$exact = sprintf( __( 'The shop counts %s as exactly as the payment service does.', 'tillkit-checkout' ), $currency );
	/* translators: 1: a currency's code, 2: the number of decimals it has, 3: the number that the shop has set */
	$wrong = sprintf( __( 'Set the number of decimals to %2$d under WooCommerce, Settings, General: for %1$s the shop has %3$d.', 'tillkit-checkout' ), $currency, (int) $needed[ $currency ], $has );
	return $has === $needed[ $currency ] ? tillkit_finding( true, $about, $exact ) : tillkit_finding( false, $about, $wrong );
}

/** What is sent for a real order, and what the hosted page must make of it: a factor of 100 is seen before the first shopper. */
function tillkit_amount_finding( $told, ?WC_Order $order ): array {
	$about = __( 'Amount', 'tillkit-checkout' );
	if ( null === $order || ! is_array( $told ) ) {
		return tillkit_finding( false, $about, __( 'There is no order to compare with yet: place one, then check again.', 'tillkit-checkout' ) );
	}
	$shown = isset( $told['shown'] ) && is_array( $told['shown'] ) ? tillkit_text_of( $told['shown'], 'text' ) : '';
	$sent  = $told['wire'] ?? null;
	if ( true !== ( $told['ok'] ?? false ) || '' === $shown || ! is_int( $sent ) ) {
		return tillkit_finding( false, $about, tillkit_text_of( $told, 'message' ) );
	}
	/* translators: 1: an order's number, 2: its total as the shop shows it, 3: a whole number, 4: the total as the hosted page must show it */
	$text = __( 'Order %1$s: the shop asks for %2$s, and the payment service is sent the number %3$d. Open a hosted page below: it must ask for %4$s.', 'tillkit-checkout' );
	return tillkit_finding( true, $about, sprintf( $text, $order->get_order_number(), tillkit_shown_total( $order ), $sent, $shown ) );
}

/** What the companion found itself; null is a check it did not make. */
function tillkit_told_finding( string $about, $told ): array {
	$ok = is_array( $told ) && true === ( $told['ok'] ?? false );
	return tillkit_finding( $ok, $about, is_array( $told ) ? tillkit_text_of( $told, 'message' ) : __( 'Not checked.', 'tillkit-checkout' ) );
}
