<?php
/** The thank-you page, and the payment status that it asks for until the payment is decided. */

function thank_you_page(): string {
	return output_of(
		static function (): void {
			do_action( 'woocommerce_before_thankyou', 1042 );
		}
	);
}

function request_payment_status( array $change = array() ): WP_REST_Response {
	return tillkit_answer_payment_status( new WP_REST_Request( json_encode( $change + array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ' ) ) ) );
}

/** @return string[] State and text. */
function shown_status( string $place = 'thankyou' ): array {
	$data = request_payment_status( compact( 'place' ) )->data;
	return array( $data['state'], $data['text'] );
}

/** The next request calls the checkout server again. */
function forget_cached_status(): void {
	delete_option( '_transient_tillkit_wait_1042' );
	delete_option( '_transient_timeout_tillkit_wait_1042' );
}

function checkout_server_has_payments( string ...$states ): void {
	$rows = array();
	foreach ( $states as $state ) {
		$rows[] = array( 'state' => $state );
	}
	checkout_server_answers( 200, array( 'payments' => $rows ) + vectors( 'answers' )['status'] );
}

test(
	'The thank-you page of a paid order shows the payment and does not poll',
	static function (): void {
		place_order( array( 'date_paid' => 1764000000, 'status' => 'processing', 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		$page = thank_you_page();
		assert_contains( 'Your payment has arrived. Thank you!', $page );
		assert_not_contains( 'data-url', $page );
		assert_same( array(), Stubs::$scripts );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'The thank-you page of an unpaid order polls, and without JavaScript offers a link',
	static function (): void {
		place_order();
		$page = thank_you_page();
		assert_contains( '<p role="status" aria-live="polite">We are waiting for the confirmation of your payment.</p>', $page );
		assert_contains( '<noscript><p><a href="https://shop.example/checkout/order-received/1042/?key=wc_order_AbC123xyZ">Check again</a></p></noscript>', $page );
		assert_contains( 'data-url="https://shop.example/wp-json/tillkit/v1/wait" data-order="1042" data-key="wc_order_AbC123xyZ"', $page );
		assert_not_contains( SECRET, $page );
		assert_same( array( 'tillkit-wait' ), Stubs::$scripts );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'The thank-you page escapes the data of the order',
	static function (): void {
		place_order( array( 'key' => '"><script>alert(1)</script>' ) );
		assert_not_contains( '<script', thank_you_page() );
	}
);

$cases_by_status = array(
	'paid'     => array( array( 'recorded' ), array( 'verified' ), array( 'expired', 'verified' ), array( 'duplicate', 'recorded' ) ),
	'held'     => array( array( 'review' ), array( 'superseded', 'review' ) ),
	'waiting'  => array( array(), array( 'open' ), array( 'intent' ), array( 'superseded', 'open' )),
	'unknown' => array( array( 'a state of a newer version' ) ),
	'not_completed' => array( array( 'expired' ), array( 'superseded', 'closed' ) ),
	'refunded' => array( array( 'refunded' ), array( 'expired', 'refunded' ) ),
	'refunding' => array( array( 'refunding' ), array( 'refunded', 'refunding' ) ),
);
foreach ( $cases_by_status as $state => $cases ) {
	foreach ( $cases as $states ) {
		test(
			"The status for the shopper is $state when the payments of the order are: " . ( implode( ', ', $states ) ?: 'none' ),
			static function () use ( $state, $states ): void {
				place_order();
				checkout_server_has_payments( ...$states );
				$response = request_payment_status();
				assert_same( tillkit_shopper_answer( $state, 'thankyou' ), $response->data );
				assert_same( 'no-store', $response->headers['Cache-Control'] );
				assert_same( 'https://pay.example/bridge/v1/status', Stubs::$calls[0]['url'] );
			}
		);
	}
}

test(
	'The status of a paid order needs no call to the checkout server',
	static function (): void {
		place_order( array( 'date_paid' => 1764000000, 'status' => 'processing', 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		assert_same( 'paid', request_payment_status()->data['state'] );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'The shopper of a reopened order learns from the checkout server whether the earlier payment is still there',
	static function (): void {
		place_order( array( 'date_paid' => 1764000000, 'status' => 'pending', 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		checkout_server_has_payments( 'refunded' );
		assert_same( 'refunded', request_payment_status()->data['state'] );
		forget_cached_status();
		checkout_server_has_payments( 'recorded' );
		assert_same( 'paid', request_payment_status()->data['state'] );
	}
);

test(
	'The thank-you page of an order that was set to Processing by hand says that the shop has marked it as paid',
	static function (): void {
		place_order( array( 'date_paid' => 1764000000, 'status' => 'processing' ) );
		assert_contains( 'The shop has marked your order as paid.', thank_you_page() );
		assert_same( array( 'paid_otherwise', 'The shop has marked your order as paid. Thank you!' ), shown_status() );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'The thank-you page of an order that is paid in cash says nothing about a payment',
	static function (): void {
		place_order( array( 'date_paid' => 1764000000, 'status' => 'processing', 'payment_method' => 'cod' ) );
		assert_not_contains( 'The shop has marked your order as paid.', thank_you_page() );
		assert_same( array( 'paid_otherwise', 'The shop has marked your order as paid. Thank you!' ), shown_status() );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'A shopper whose completed payment has no exact amount is told not to pay again',
	static function (): void {
		place_order( array( 'meta' => array( '_tillkit_return_url' => 'https://shop.example/' ) ) );
		checkout_server_answers( 200, array( 'payments' => array( array( 'state' => 'review', 'received' => null ) ) ) );
		assert_same( array( 'held', 'Your payment has arrived. The shop is checking your order and will get back to you.' ), shown_status() );
		forget_cached_status();
		assert_same( array( 'held', 'Your payment has arrived, and the shop is looking at it. Do not pay again.' ), shown_status( 'pay' ) );
	}
);

test(
	'The status is cached, so many open pages make few calls to the checkout server',
	static function (): void {
		place_order();
		checkout_server_has_payments( 'open' );
		for ( $page = 0; $page < 20; $page++ ) {
			assert_same( 'waiting', request_payment_status()->data['state'] );
		}
		assert_same( 1, count( Stubs::$calls ) );
		update_option( '_transient_timeout_tillkit_wait_1042', time() - 1 );
		checkout_server_has_payments( 'recorded' );
		assert_same( 'paid', request_payment_status()->data['state'] );
		assert_same( 2, count( Stubs::$calls ) );
	}
);

test(
	'While the checkout server does not answer, no page says that nothing was charged',
	static function (): void {
		place_order();
		foreach ( array( 'thankyou' => 'We are waiting for the confirmation of your payment.', 'pay' => 'We are checking whether your payment has arrived. Please wait a moment.' ) as $place => $text ) {
			assert_same( array( 'unknown', $text ), shown_status( $place ) );
		}
		assert_same( 'Waiting for your payment', request_payment_status()->data['title'] );
		// "unknown" is not kept as the last known status.
		assert_same( false, get_transient( 'tillkit_wait_known_1042' ) );
	}
);

test(
	'Without the order key the status reveals nothing, not even whether the order exists',
	static function (): void {
		place_order();
		$wrong = request_payment_status( array( 'key' => 'wc_order_guess' ) );
		assert_same( 404, $wrong->status );
		assert_same( $wrong->data, request_payment_status( array( 'order' => '7' ) )->data );
		foreach ( array( array( 'key' => null ), array( 'key' => array( 'wc_order_AbC123xyZ' ) ), array( 'order' => array( 1042 ) ), array( 'key' => '' ) ) as $invalid ) {
			assert_same( 404, request_payment_status( $invalid )->status );
		}
		assert_same( array(), Stubs::$calls );
	}
);
