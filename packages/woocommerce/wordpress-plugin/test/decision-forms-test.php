<?php
/** The forms in the box on the order's page, with which the owner accepts or refunds a payment. */

/** An answer of the checkout server about an order whose payment is held. */
function held_answer( array $decision = array(), array $payment = array() ): array {
	$money = array( 'minor' => 5000, 'currency' => 'XOF', 'text' => '5 000 F CFA' );
	return array(
		'headline'  => 'Money arrived with a difference.',
		'attention' => true,
		'reasons'   => array( 'held' ),
		'payments'  => array(
			$payment + array(
				'payment'     => 'payment-a',
				'state'       => 'review',
				'amount'      => $money,
				'received'    => $money,
				'transaction' => 'tx_01',
				'difference'  => 'The order was changed.',
				'decision'    => $decision + array( 'seen' => str_repeat( 'a', 32 ), 'accept' => true, 'accept_by_status' => false, 'refundable' => $money + array( 'decimal' => '5000' ) ),
			),
		),
		'refunds'   => array(),
		'timeline'  => array(),
	);
}

/** The body of the last call to the checkout server. */
function last_call(): array {
	return json_decode( Stubs::$calls[ count( Stubs::$calls ) - 1 ]['body'], true );
}

test(
	'A held payment has the buttons Accept and Refund, which say what follows',
	static function (): void {
		place_order();
		checkout_server_answers( 200, held_answer() );
		$html = request_order_box()->body['html'];
		assert_contains( '<summary class="button btn btn-default btn-outline-secondary">Accept…</summary>', $html );
		assert_contains( 'The order becomes paid, and the customer gets the usual e-mail.', $html );
		assert_contains( 'data-tillkit-purpose="accept">Accept 5 000 F CFA</button>', $html );
		assert_contains( 'data-tillkit-field="amount" value="5000"', $html );
		assert_contains( 'At most 5 000 F CFA.', $html );
		assert_contains( 'The order was changed.', $html );
		// The fields have no names, so that saving the order does not send them.
		assert_not_contains( ' name="', $html );
	}
);

test(
	'Accept names what is left of a held payment after a refund, and the box shows the sums of the checkout server',
	static function (): void {
		place_order();
		$left = array( 'minor' => 3500, 'currency' => 'XOF', 'text' => '3 500 F CFA', 'decimal' => '3500' );
		checkout_server_answers( 200, held_answer( array( 'refundable' => $left ), array( 'sums' => '5 000 F CFA received, 1 500 F CFA refunded: 3 500 F CFA can be refunded.' ) ) );
		$html = request_order_box()->body['html'];
		assert_contains( '1 500 F CFA refunded: 3 500 F CFA can be refunded.', $html );
		assert_contains( 'data-tillkit-purpose="accept">Accept 3 500 F CFA</button>', $html );
		assert_contains( '3 500 F CFA counts as the payment of this order.', $html );
		checkout_server_answers( 200, held_answer( array( 'refundable' => null ) ) );
		assert_not_contains( 'Refund…', request_order_box()->body['html'] );
	}
);

test(
	'A duplicate offers only a refund with its reason, and a payment for a cancelled order says how to accept it',
	static function (): void {
		place_order( array( 'status' => 'processing', 'date_paid' => 1764000000 ) );
		checkout_server_answers( 200, held_answer( array( 'accept' => false ), array( 'state' => 'duplicate' ) ) );
		$html = request_order_box()->body['html'];
		assert_not_contains( 'Accept…', $html );
		assert_contains( '<option value="duplicate" selected>Paid twice</option>', $html );
		checkout_server_answers( 200, held_answer( array( 'accept' => false, 'accept_by_status' => true ) ) );
		assert_contains( 'set the order to Processing or Completed', request_order_box()->body['html'] );
	}
);

test(
	'Accepting sends what the owner saw and the role of the owner, then loads the page again',
	static function (): void {
		Stubs::$is_admin = true;
		place_order();
		checkout_server_answers( 200, array( 'reasons' => array() ) + held_answer() );
		$answer = request_order_box( array( 'purpose' => 'accept', 'payment' => 'payment-a', 'seen' => str_repeat( 'a', 32 ) ) );
		assert_same( true, $answer->body['reload'] );
		assert_same( 'https://pay.example/bridge/v1/decide', Stubs::$calls[0]['url'] );
		assert_same( 30, Stubs::$calls[0]['timeout'] );
		$sent = last_call();
		assert_same( array( 'accept', 'payment-a' ), array( $sent['decision'], $sent['payment'] ) );
		assert_same( array( str_repeat( 'a', 32 ), 'shop_manager #7' ), array( $sent['seen'], $sent['by'] ) );
	}
);

test(
	'Refunding sends amount, currency and reason, however the owner writes the amount',
	static function (): void {
		place_order( array( 'currency' => 'EUR' ) );
		checkout_server_answers( 200, held_answer() );
		foreach ( array( '19.99' => '19.99', '19,99' => '19.99', '1 500' => '1500', "1\u{202f}500,5" => '1500.5' ) as $written => $sent ) {
			request_order_box( array( 'purpose' => 'refund', 'payment' => 'payment-a', 'amount' => (string) $written, 'currency' => 'EUR', 'reason' => 'duplicate' ) );
			assert_same( array( $sent, 'EUR', 'duplicate' ), array( last_call()['amount'], last_call()['currency'], last_call()['reason'] ) );
		}
	}
);

test(
	'An amount that may mean fifteen hundred or one and a half is never sent as a refund',
	static function (): void {
		place_order( array( 'currency' => 'EUR' ) );
		checkout_server_answers( 200, held_answer() );
		foreach ( array( '1,500', '1.500', '12,345' ) as $amount ) {
			$html = request_order_box( array( 'purpose' => 'refund', 'payment' => 'payment-a', 'amount' => $amount ) )->body['html'];
			assert_contains( 'Enter the amount without a separator of thousands: 1500 or 1500.50.', $html );
		}
		foreach ( Stubs::$calls as $call ) {
			assert_same( 'https://pay.example/bridge/v1/status', $call['url'] );
		}
	}
);

test(
	'An unreadable amount is never sent as a refund, and the box shows the payment again',
	static function (): void {
		place_order();
		checkout_server_answers( 200, held_answer() );
		foreach ( array( '', '-5', '1.000.000', '5e3', 'all', '1,5,0' ) as $amount ) {
			$html = request_order_box( array( 'purpose' => 'refund', 'payment' => 'payment-a', 'amount' => $amount ) )->body['html'];
			assert_contains( 'Enter the amount to refund.', $html );
			assert_contains( 'Refund…', $html );
		}
		foreach ( Stubs::$calls as $call ) {
			assert_same( 'https://pay.example/bridge/v1/status', $call['url'] );
		}
	}
);

test(
	'A refused decision shows the reason and does not load the page again',
	static function (): void {
		place_order();
		checkout_server_refuses( 409, 'decision_outdated', 'This payment has changed.' );
		$answer = request_order_box( array( 'purpose' => 'accept', 'payment' => 'payment-a' ) );
		assert_contains( 'This payment has changed.', $answer->body['html'] );
		assert_true( ! isset( $answer->body['reload'] ), 'The page is not loaded again;' );
	}
);

test(
	'Opening the order box corrects a mark that is no longer true, without an e-mail',
	static function (): void {
		place_order( array( 'meta' => array( '_tillkit_decision' => 'held' ) ) );
		checkout_server_answers( 200, vectors( 'answers' )['status'] );
		request_order_box();
		assert_true( ! isset( stored_order()['meta']['_tillkit_decision'] ), 'The mark is gone;' );
		checkout_server_answers( 200, held_answer() );
		request_order_box();
		assert_same( 'held', stored_order()['meta']['_tillkit_decision'] );
		assert_same( array(), Stubs::$owner_mails );
	}
);

test(
	'A refund that the owner has taken care of no longer marks the order',
	static function (): void {
		place_order( array( 'meta' => array( '_tillkit_attention' => 'refund_not_recorded' ) ) );
		assert_same( array( 1042 ), tillkit_waiting_orders() );
		assert_contains( 'data-tillkit-purpose="done"', order_box_html( 'shop_order', new WP_Post( 1042 ) ) );
		assert_same( true, request_order_box( array( 'purpose' => 'done' ) )->body['reload'] );
		assert_same( array(), tillkit_waiting_orders() );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'Accept says how much of the total is missing',
	static function (): void {
		place_order();
		checkout_server_answers( 200, held_answer( array( 'missing' => array( 'minor' => 1000, 'currency' => 'XOF', 'text' => '1 000 F CFA' ) ) ) );
		assert_contains( '1 000 F CFA of the total are missing.', request_order_box()->body['html'] );
		checkout_server_answers( 200, held_answer( array( 'missing' => null ) ) );
		assert_not_contains( 'missing', request_order_box()->body['html'] );
	}
);
