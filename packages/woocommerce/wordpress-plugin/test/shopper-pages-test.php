<?php
/** What a shopper reads about a payment on the pages of the shop: where the order is paid, and on the thank-you page. */

/** The notice on the page where the order is paid. */
function pay_page( string $key = 'wc_order_AbC123xyZ' ): string {
	Stubs::$query_vars = array( 'order-pay' => '1042' );
	$_GET['key']       = $key;
	return output_of(
		static function (): void {
			do_action( 'before_woocommerce_pay' );
		}
	);
}

/** Makes the checkout server answer with one open payment whose latest attempt has this result. */
function checkout_server_has_attempt( ?string $attempt ): void {
	delete_transient( 'tillkit_wait_1042' );
	checkout_server_answers( 200, array( 'payments' => array( array( 'state' => 'open', 'attempt' => $attempt ) ) ) );
}

/** An order whose shopper has been on the hosted page. */
function place_started_order( array $change = array() ) {
	return place_order( $change + array( 'meta' => array( '_tillkit_return_url' => 'https://shop.example/' ) ) );
}

test(
	'A shopper who cancelled reads that nothing was charged, and a shopper who confirmed on the phone is asked to wait',
	static function (): void {
		place_started_order();
		checkout_server_has_attempt( null );
		assert_same( array( 'waiting', 'Nothing has been charged so far. You can pay your order here.' ), shown_status( 'pay' ) );
		checkout_server_has_attempt( 'pending' );
		assert_same( 'pending', shown_status( 'pay' )[0] );
		assert_contains( 'wait a moment before you pay again', shown_status( 'pay' )[1] );
		delete_transient( 'tillkit_wait_1042' );
		checkout_server_has_payments( 'expired' );
		assert_contains( 'nothing was charged', shown_status( 'pay' )[1] );
	}
);

test(
	'The page where an order is paid never says that nothing was charged before it has asked',
	static function (): void {
		place_started_order();
		checkout_server_has_attempt( null );
		shown_status( 'pay' );
		$page = pay_page();
		assert_contains( 'We are checking whether your payment has arrived.', $page );
		assert_contains( 'data-place="pay"', $page );
		assert_not_contains( 'charged', $page );
		assert_same( array( 'tillkit-wait' ), Stubs::$scripts );
		assert_same( array( 'tillkit-notice' ), Stubs::$styles );
	}
);

test(
	'The page where an order is paid has no notice before the first payment, and none without the key of the order',
	static function (): void {
		place_order();
		assert_same( '', pay_page() );
		place_started_order();
		assert_same( '', pay_page( 'wc_order_guess' ) );
		$_GET['key'] = array( 'wc_order_AbC123xyZ' );
		assert_same( '', output_of( 'tillkit_show_pay_page_status' ) );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'The notice is shown once, in themes with blocks and without',
	static function (): void {
		place_started_order();
		$_GET['key']       = 'wc_order_AbC123xyZ';
		Stubs::$query_vars = array( 'order-pay' => '1042' );
		$block             = apply_filters( 'render_block_woocommerce/checkout', '<form></form>' );
		assert_contains( '</section><form></form>', $block );
		assert_same( '', pay_page() );
		Stubs::$styles = array();
		assert_contains( 'tillkit-notice', pay_page() );
		assert_same( '<form></form>', apply_filters( 'render_block_woocommerce/checkout', '<form></form>' ) );
		Stubs::$styles     = array();
		Stubs::$query_vars = array();
		assert_same( '<form></form>', apply_filters( 'render_block_woocommerce/checkout', '<form></form>' ) );
	}
);

test(
	'A held payment asks the shopper not to pay again',
	static function (): void {
		place_started_order( array( 'status' => 'on-hold' ) );
		checkout_server_has_payments( 'review' );
		assert_same( array( 'held', 'Your payment has arrived, and the shop is looking at it. Do not pay again.' ), shown_status( 'pay' ) );
	}
);

test(
	'The heading, the sentence and the notice of the thank-you page say the same',
	static function (): void {
		$order  = place_order();
		$page   = static function () use ( $order ): array {
			return array(
				apply_filters( 'woocommerce_thankyou_order_received_title', 'Order received', $order ),
				apply_filters( 'woocommerce_thankyou_order_received_text', 'Thank you. Your order has been received.', $order ),
			);
		};
		assert_same( array( 'Waiting for your payment', 'We have your order. It is confirmed as soon as it is paid.' ), $page() );
		checkout_server_has_payments( 'review' );
		shown_status();
		assert_same( array( 'Your payment is being checked', 'We have your order and your payment.' ), $page() );
		assert_contains( 'class="tillkit-notice is-info"', thank_you_page() );
		$order = place_order( array( 'date_paid' => 1764000000, 'status' => 'processing', 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		assert_same( 'A text of another plugin', apply_filters( 'woocommerce_thankyou_order_received_text', 'A text of another plugin', $order ) );
		assert_contains( 'class="tillkit-notice is-success"', thank_you_page() );
	}
);

test(
	'The thank-you page of another payment method and of a visitor without permission stays as it is',
	static function (): void {
		foreach ( array( false, null, place_order( array( 'payment_method' => 'bacs' ) ) ) as $order ) {
			assert_same( 'Thank you.', apply_filters( 'woocommerce_thankyou_order_received_text', 'Thank you.', $order ) );
			assert_same( 'Order received', apply_filters( 'woocommerce_thankyou_order_received_title', 'Order received', $order ) );
		}
		assert_same( '', thank_you_page() );
	}
);

test(
	'The title of the page reveals nothing about an order whose key is not in the address',
	static function (): void {
		place_order();
		Stubs::$query_vars = array( 'order-received' => '1042' );
		assert_same( 'Order received', apply_filters( 'woocommerce_endpoint_order-received_title', 'Order received' ) );
		$_GET['key'] = 'wc_order_AbC123xyZ';
		assert_same( 'Waiting for your payment', apply_filters( 'woocommerce_endpoint_order-received_title', 'Order received' ) );
	}
);

test(
	'An order whose payment was declined becomes failed with one note, and a late success still pays it',
	static function (): void {
		place_started_order();
		checkout_server_has_attempt( 'failed' );
		assert_same( 'declined', shown_status()[0] );
		assert_same( 'declined', shown_status()[0] );
		assert_same( 'failed', stored_order()['status'] );
		assert_same( 1, count( stored_order()['notes'] ) );
		assert_true( ! isset( stored_order()['meta']['_tillkit_set_paid'] ), 'No decision of the owner was recorded;' );
		assert_same( 'recorded', tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request() ), time() )['outcome'] );
		assert_same( 'processing', stored_order()['status'] );
	}
);

test(
	'A declined payment changes no order that is paid, on hold, cancelled or paid by another method',
	static function (): void {
		checkout_server_has_attempt( 'failed' );
		foreach ( array( array( 'status' => 'on-hold' ), array( 'status' => 'cancelled' ), array( 'payment_method' => 'bacs' ), array( 'status' => 'processing', 'date_paid' => 1764000000 ) ) as $change ) {
			$before = place_started_order( $change )->get_status();
			shown_status();
			tillkit_set_to_failed( wc_get_order( 1042 ), 'declined' );
			assert_same( $before, stored_order()['status'] );
		}
	}
);

test(
	'Starting another payment forgets the last known status of the earlier payments',
	static function (): void {
		place_order();
		checkout_server_has_payments( 'expired' );
		shown_status();
		assert_contains( 'was not completed', thank_you_page() );
		( new Tillkit_Gateway() )->process_payment( 1042 );
		assert_contains( 'We are waiting', thank_you_page() );
	}
);

test(
	'A declined order is pending again when its shopper begins another payment, and the thank-you page is written by the notice alone',
	static function (): void {
		place_order( array( 'status' => 'failed' ) );
		( new Tillkit_Gateway() )->process_payment( 1042 );
		assert_same( 'pending', stored_order()['status'] );
		foreach ( array( 'tillkit' => false, 'bacs' => true ) as $method => $shows_failure ) {
			$order = place_order( array( 'status' => 'failed', 'payment_method' => $method ) );
			output_of( static function (): void {
				do_action( 'woocommerce_before_thankyou', 1042 );
			} );
			assert_same( $shows_failure, apply_filters( 'woocommerce_order_has_status', true, $order, 'failed' ), $method );
			assert_same( true, apply_filters( 'woocommerce_order_has_status', true, $order, 'pending' ), $method );
		}
	}
);
