<?php
function thank_you_page(): string {
	return output_of(
		static function (): void {
			do_action( 'woocommerce_thankyou_tillkit', 1042 );
		}
	);
}

function ask_wait( array $change = array() ): WP_REST_Response {
	return tillkit_answer_wait( new WP_REST_Request( json_encode( $change + array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ' ) ) ) );
}

function companion_knows( string ...$states ): void {
	$rows = array();
	foreach ( $states as $state ) {
		$rows[] = array( 'state' => $state );
	}
	companion_answers( 200, array( 'payments' => $rows ) + vectors( 'answers' )['status'] );
}

test(
	'The thank-you page of a paid order says so and asks nothing more',
	static function (): void {
		place_order( array( 'date_paid' => 1764000000, 'status' => 'processing', 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		$page = thank_you_page();
		says( 'Your payment has arrived. Thank you!', $page );
		says_not( 'data-url', $page );
		same( array(), Stubs::$scripts );
		same( array(), Stubs::$calls );
	}
);

test(
	'The thank-you page of an unpaid order reads well without JavaScript and waits with it',
	static function (): void {
		place_order();
		$page = thank_you_page();
		says( '<p role="status" aria-live="polite">We are waiting for the confirmation of your payment.</p>', $page );
		says( '<noscript><p><a href="https://shop.example/checkout/order-received/1042/?key=wc_order_AbC123xyZ">Look again</a></p></noscript>', $page );
		says( 'data-url="https://shop.example/wp-json/tillkit/v1/wait" data-order="1042" data-key="wc_order_AbC123xyZ"', $page );
		says_not( SECRET, $page );
		same( array( 'tillkit-wait' ), Stubs::$scripts );
		same( array(), Stubs::$calls );
	}
);

test(
	'Nothing of an order can break out of the page',
	static function (): void {
		place_order( array( 'key' => '"><script>alert(1)</script>' ) );
		says_not( '<script', thank_you_page() );
	}
);

$told = array(
	'paid'     => array( array( 'recorded' ), array( 'verified' ), array( 'expired', 'verified' ), array( 'duplicate', 'recorded' ) ),
	'held'     => array( array( 'review' ), array( 'superseded', 'review' ) ),
	'waiting'  => array( array(), array( 'open' ), array( 'intent' ), array( 'superseded', 'open' ), array( 'a state of a newer version' ) ),
	'lapsed'   => array( array( 'expired' ), array( 'superseded', 'closed' ) ),
	'refunded' => array( array( 'refunded' ), array( 'expired', 'refunded' ) ),
	'refunding' => array( array( 'refunding' ), array( 'refunded', 'refunding' ) ),
);
foreach ( $told as $state => $cases ) {
	foreach ( $cases as $states ) {
		test(
			"A shopper who waits is told $state when the payments are: " . ( implode( ', ', $states ) ?: 'none' ),
			static function () use ( $state, $states ): void {
				place_order();
				companion_knows( ...$states );
				$response = ask_wait();
				same( array( 'state' => $state, 'text' => tillkit_wait_text( $state ) ), $response->data );
				same( 'no-store', $response->headers['Cache-Control'] );
				same( 'https://pay.example/woo/orders/status', Stubs::$calls[0]['url'] );
			}
		);
	}
}

test(
	'An order that is paid in the shop needs no question to the companion',
	static function (): void {
		place_order( array( 'date_paid' => 1764000000, 'status' => 'processing', 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		same( 'paid', ask_wait()->data['state'] );
		same( array(), Stubs::$calls );
	}
);

foreach ( array( '' => 'Processing by hand', 'cod' => 'paid in cash' ) as $method => $words ) {
	test(
		"A shopper whose order is $words never reads that a payment has arrived",
		static function () use ( $method ): void {
			place_order( array( 'date_paid' => 1764000000, 'status' => 'processing', 'payment_method' => $method ?: 'tillkit' ) );
			says( 'The shop has marked your order as paid.', thank_you_page() );
			same( array( 'state' => 'settled', 'text' => 'The shop has marked your order as paid. Thank you!' ), ask_wait()->data );
			same( array(), Stubs::$calls );
		}
	);
}

test(
	'A shopper whose payment is looked into before any money was seen keeps waiting',
	static function (): void {
		place_order();
		companion_answers( 200, array( 'payments' => array( array( 'state' => 'review', 'received' => null ) ) ) );
		same( array( 'state' => 'waiting', 'text' => 'We are waiting for the confirmation of your payment.' ), ask_wait()->data );
		delete_option( '_transient_tillkit_wait_1042' );
		delete_option( '_transient_timeout_tillkit_wait_1042' );
		companion_answers( 200, array( 'payments' => array( array( 'state' => 'review', 'received' => array( 'minor' => 5000 ) ) ) ) );
		same( 'held', ask_wait()->data['state'] );
	}
);

test(
	'Many pages that wait for one order ask the companion once in a while',
	static function (): void {
		place_order();
		companion_knows( 'open' );
		for ( $page = 0; $page < 20; $page++ ) {
			same( 'waiting', ask_wait()->data['state'] );
		}
		same( 1, count( Stubs::$calls ) );
		update_option( '_transient_timeout_tillkit_wait_1042', time() - 1 );
		companion_knows( 'recorded' );
		same( 'paid', ask_wait()->data['state'] );
		same( 2, count( Stubs::$calls ) );
	}
);

test(
	'A shopper keeps waiting while the companion is silent',
	static function (): void {
		place_order();
		same( 'waiting', ask_wait()->data['state'] );
	}
);

test(
	'Who does not know the order\'s key learns nothing, not even whether the order exists',
	static function (): void {
		place_order();
		$wrong = ask_wait( array( 'key' => 'wc_order_guess' ) );
		same( 404, $wrong->status );
		same( $wrong->data, ask_wait( array( 'order' => '7' ) )->data );
		foreach ( array( array( 'key' => null ), array( 'key' => array( 'wc_order_AbC123xyZ' ) ), array( 'order' => array( 1042 ) ), array( 'key' => '' ) ) as $odd ) {
			same( 404, ask_wait( $odd )->status );
		}
		same( array(), Stubs::$calls );
	}
);
