<?php
/** The bridge in a shop without WordPress. The WordPress plugin's own tests follow it further. */

const SECRET = 'link secret of the tests, never of a real shop';

function open_shop(): void {
	tillkit_host( new Memory_Shop() );
	shop()->stored['link_secrets'] = array( 'current' => SECRET, 'previous' => '' );
	shop()->orders['1042']         = new Memory_Order();
}

function shop(): Memory_Shop {
	return tillkit_host();
}

function order(): Memory_Order {
	return shop()->orders['1042'];
}

function vectors( string $name ): array {
	return json_decode( file_get_contents( __DIR__ . "/../../vectors/$name.json" ), true );
}

/** What the checkout server sends. */
function call_shop( string $purpose, array $body, string $secret = SECRET ) {
	$now     = 1764000000;
	$bytes   = json_encode( (object) $body );
	$headers = tillkit_call_headers( $purpose, 'boutique', $now, $bytes, $secret );
	$values  = array( 'store' => $headers['X-Tillkit-Store'], 'time' => $headers['X-Tillkit-Time'], 'signature' => $headers['X-Tillkit-Signature'] );
	return tillkit_answer_call( $purpose, $values, $bytes, $now );
}

function checkout_server_answers( int $status, array $body ): void {
	shop()->checkout_server = static function () use ( $status, $body ): array {
		return array( 'status' => $status, 'body' => json_encode( $body ) );
	};
}

foreach ( vectors( 'pay-links' )['signed'] as $vector ) {
	test(
		"The shop signs the pay link of the vector: {$vector['title']}",
		static function () use ( $vector ): void {
			assert_same( 'https://pay.example/bridge/v1/pay?' . $vector['query'], tillkit_pay_link( 'https://pay.example', $vector['link'], vectors( 'pay-links' )['secret'] ) );
		}
	);
}

foreach ( vectors( 'calls' )['read'] as $vector ) {
	test(
		"The shop verifies the call as {$vector['result']}: {$vector['title']}",
		static function () use ( $vector ): void {
			$calls   = vectors( 'calls' );
			$headers = array( 'store' => $vector['headers']['X-Tillkit-Store'], 'time' => $vector['headers']['X-Tillkit-Time'], 'signature' => $vector['headers']['X-Tillkit-Signature'] );
			assert_same( $vector['result'], tillkit_verify_call( $vector['purpose'], $headers, $vector['body'], array( $calls['secret'], $calls['previousSecret'] ), $vector['now'] ) );
		}
	);
}

foreach ( vectors( 'providers' ) as $provider => $names ) {
	test(
		"The shop names $provider as the vector does, in both languages",
		static function () use ( $provider, $names ): void {
			foreach ( $names as $language => $name ) {
				shop()->language = $language;
				assert_same( $name, tillkit_provider_name( $provider ) );
			}
		}
	);
}

test(
	'A signed call writes its order under the lock of the order, and a call with another secret writes nothing',
	static function (): void {
		$body = array( 'order' => '1042', 'key' => 'AbC123xyZ' );
		assert_same( 'recorded', call_shop( 'hold', $body )['outcome'] );
		assert_same( array( array( 'purpose' => 'hold', 'fields' => $body, 'held' => array( '1042' ) ) ), shop()->writes );
		assert_same( array( 401, 'tillkit_signature_invalid' ), array( call_shop( 'hold', $body, strrev( SECRET ) )->status, call_shop( 'hold', $body, strrev( SECRET ) )->code ) );
		shop()->held = array( '1042' );
		assert_same( 'tillkit_busy', call_shop( 'hold', $body )->code );
		assert_same( 1, count( shop()->writes ) );
	}
);

test(
	'A call without a field that its purpose needs is refused and writes nothing',
	static function (): void {
		$mark_paid = array( 'order' => '1042', 'key' => 'AbC123xyZ', 'amount' => '5000', 'currency' => 'XOF', 'payment' => 'payment-a', 'transaction' => 'tx_01', 'fence' => 3 );
		foreach ( array_keys( $mark_paid ) as $missing ) {
			assert_same( 'tillkit_bad_request', call_shop( 'mark-paid', array_diff_key( $mark_paid, array( $missing => true ) ) )->code, $missing );
		}
		assert_same( array(), shop()->writes );
		assert_same( 'tillkit_bad_request', call_shop( 'delete-order', $mark_paid )->code );
		call_shop( 'mark-paid', $mark_paid );
		assert_same( array( 'fence' => 3, 'already_paid' => false, 'environment' => '', 'provider' => '', 'returned' => array() ), array_slice( shop()->writes[0]['fields'], 6 ) );
		$close = array( 'order' => '1042', 'key' => 'AbC123xyZ', 'returned' => array( 'payment-b' ) );
		call_shop( 'close-order', $close );
		assert_same( $close, shop()->writes[1]['fields'], 'the payments whose money has gone back;' );
		assert_same( 'tillkit_bad_request', call_shop( 'close-order', array( 'returned' => array( 7 ) ) + $close )->code );
	}
);

test(
	'An order is read and orders are listed without a lock, and a call that is not as the protocol says is refused',
	static function (): void {
		shop()->held = array( '1042' );
		assert_same( array( 'order' => '1042', 'key' => '' ), call_shop( 'read-order', array( 'order' => '1042', 'key' => '' ) )['fields'] );
		assert_same( array( 'since' => 1764000000, 'after' => null ), call_shop( 'list-orders', array( 'since' => 1764000000, 'after' => null ) )['fields'] );
		foreach ( array( array( 'since' => '1' ), array( 'since' => 1, 'after' => 'x' ), array( 'since' => -1 ) ) as $invalid ) {
			assert_same( 'tillkit_bad_request', call_shop( 'list-orders', $invalid )->code );
		}
		assert_same( 'tillkit_bad_request', call_shop( 'read-order', array( 'order' => '1042' ) )->code );
		assert_same( 'tillkit_busy', call_shop( 'close-order', array( 'order' => '1042', 'key' => 'AbC123xyZ' ) )->code, 'closing takes the lock;' );
	}
);

test(
	'Ping answers what the protocol says, and no secret',
	static function (): void {
		$ping = call_shop( 'ping', array() );
		assert_same( array_keys( vectors( 'answers' )['ping'] ), array_keys( $ping ) );
		assert_not_contains( SECRET, json_encode( $ping ) );
	}
);

test(
	'A pairing code is used once, brings a new link secret, and keeps the one before it valid',
	static function (): void {
		$form = tillkit_pairing_form( 'https://shop.example', 1764000000 );
		assert_same( 'https://pay.example/bridge/v1/pair', $form['url'] );
		$body   = json_encode( array( 'code' => $form['fields']['code'], 'store' => 'boutique-2', 'checkout_server' => 'https://pay.example', 'environment' => 'live', 'owner_pages' => true ) );
		$answer = tillkit_pair( $body, 1764000899 );
		assert_same( array_keys( vectors( 'answers' )['pair'] ), array_keys( $answer ) );
		assert_same( array( $answer['link_secret'], SECRET ), tillkit_link_secrets() );
		assert_same( array( 'boutique-2', true ), array( shop()->settings['store'], tillkit_has_owner_pages() ) );
		assert_same( 'tillkit_pairing_refused', tillkit_pair( $body, 1764000899 )->code );
	}
);

test(
	'The owner gets one e-mail for each new reason why money waits, and the order keeps the reasons',
	static function (): void {
		$waits = array( 'order' => '1042', 'key' => 'AbC123xyZ', 'reasons' => array( 'held', 'of_a_newer_server' ) );
		assert_same( 'shown', call_shop( 'decision', $waits )['outcome'] );
		call_shop( 'decision', $waits );
		assert_same( array( '1042' ), shop()->announced );
		call_shop( 'decision', array( 'reasons' => array( 'held', 'duplicate' ) ) + $waits );
		assert_same( array( '1042', '1042' ), shop()->announced );
		assert_same( array( 'duplicate', 'held' ), tillkit_decision_reasons( order() ) );
		assert_same( 'gone', call_shop( 'decision', array( 'key' => 'copied' ) + $waits )['outcome'] );
	}
);

/** What a shop does when its owner asks for a refund of this amount. */
function request_refund( string $amount ) {
	return tillkit_refund_once(
		'1042',
		static function () use ( $amount ): array {
			return array( 'amount' => $amount, 'shown' => null, 'name' => static function (): void {} );
		}
	);
}

test(
	'A refund whose answer was lost is repeated under its key, and no other amount is refunded before it is known',
	static function (): void {
		assert_contains( 'Click refund again with the same amount', request_refund( '1500' )->message );
		assert_contains( 'An earlier refund of 1,500 F CFA is not confirmed', request_refund( '200' )->message );
		shop()->checkout_server = static function ( string $url, array $body ): array {
			return array( 'status' => 200, 'body' => json_encode( array( 'refund_key' => $body['refund_key'], 'refund' => 'rf_1', 'state' => 'completed', 'amount' => array( 'text' => '1 500 F CFA' ) ) ) );
		};
		assert_same( true, request_refund( '1500' ) );
		$keys = array_map( static function ( array $request ): string { return json_decode( $request['body'], true )['refund_key']; }, shop()->requests );
		assert_same( array( 2, 1 ), array( count( $keys ), count( array_unique( $keys ) ) ) );
		assert_same( array( array( 'Tillkit refunded 1 500 F CFA.' ), '' ), array( order()->notes, order()->fact( 'unconfirmed_refund' ) ) );
	}
);

test(
	'A refund that has lost its lock sends no money and forgets no other refund',
	static function (): void {
		shop()->lost = '1042_refund';
		assert_contains( 'Another refund of this order is in progress', request_refund( '1500' )->message );
		assert_same( array( array(), '' ), array( shop()->requests, order()->fact( 'unconfirmed_refund' ) ) );
		$other = '{"key":"k","amount":"1500","order":"1042"}';
		order()->write_facts( array( 'unconfirmed_refund' => $other ) );
		tillkit_end_settled_refund( '1042', 'k', false );
		assert_same( $other, order()->fact( 'unconfirmed_refund' ) );
		shop()->lost = null;
		tillkit_end_settled_refund( '1042', 'k', false );
		assert_same( '', order()->fact( 'unconfirmed_refund' ) );
	}
);

test(
	'A copied order does not inherit the unconfirmed refund and the payment of the order that it was copied from',
	static function (): void {
		order()->write_facts( array( 'unconfirmed_refund' => '{"key":"k","amount":"1500","order":"7"}', 'payment_id' => 'payment-a', 'payment_order' => '7' ) );
		assert_same( array( null, '' ), array( tillkit_unconfirmed_refund( order() ), tillkit_own_payment( order() ) ) );
	}
);

test(
	'An older writer is refused for ten minutes, by the fence of this order only',
	static function (): void {
		$stored = tillkit_write_fence( '1042', 4, 1764000000 );
		assert_true( tillkit_has_newer_writer( $stored, '1042', 3, 1764000599 ), 'within ten minutes;' );
		assert_true( ! tillkit_has_newer_writer( $stored, '1042', 3, 1764000600 ), 'after ten minutes;' );
		assert_true( ! tillkit_has_newer_writer( $stored, '1042', 4, 1764000000 ), 'the same writer;' );
		assert_true( ! tillkit_has_newer_writer( $stored, '1043', 3, 1764000000 ), 'another order;' );
	}
);

test(
	'Many pages that wait for a payment make one call, and a checkout server that does not answer is not called again for a while',
	static function (): void {
		assert_same( array( 'unknown', 'unknown' ), array( tillkit_shopper_status_from_checkout_server( order() ), tillkit_shopper_status_from_checkout_server( order() ) ) );
		assert_same( 1, count( shop()->requests ) );
		tillkit_forget_shopper_status( order() );
		checkout_server_answers( 200, array( 'payments' => array( array( 'state' => 'open', 'attempt' => 'pending' ) ) ) );
		assert_same( 'pending', tillkit_shopper_status_from_checkout_server( order() ) );
		assert_same( 'pending', tillkit_known_shopper_status( order() ) );
	}
);

test(
	'A decision names what its owner saw and who they are, and an amount that can be read in two ways is not sent',
	static function (): void {
		checkout_server_answers( 200, array( 'reasons' => array(), 'payments' => array() ) );
		$posted = array( 'payment' => 'payment-a', 'seen' => 'seen-1', 'amount' => "1\u{202f}500,5", 'currency' => 'XOF', 'reason' => 'duplicate' );
		tillkit_decide( order(), 'refund', $posted );
		$sent = json_decode( shop()->requests[0]['body'], true );
		assert_same( array( 'refund', 'seen-1', 'employee #7', '1500.5', 'https://shop.example' ), array( $sent['decision'], $sent['seen'], $sent['by'], $sent['amount'], $sent['site'] ) );
		foreach ( array( '1,500', '', 'all', '-5' ) as $typed ) {
			assert_true( tillkit_decide( order(), 'refund', array( 'amount' => $typed ) + $posted ) instanceof Tillkit_Error, "'$typed' is refused;" );
		}
		assert_same( 1, count( shop()->requests ) );
	}
);

test(
	'A copy of the shop is told so, refuses nothing by itself, and forgets the secret when its owner says that it is a copy',
	static function (): void {
		checkout_server_answers( 409, array( 'code' => 'tillkit_looks_like_copy', 'message' => 'A copy.', 'data' => array( 'status' => 409 ), 'copy_of' => 'shop.example' ) );
		tillkit_call_about_order( 'export', order() );
		assert_contains( 'looks like a copy of shop.example', tillkit_copy_text() );
		tillkit_end_copied_connection();
		assert_same( array( '', array(), '' ), array( tillkit_copy_text(), tillkit_link_secrets(), shop()->settings['store'] ) );
	}
);

test(
	'A shop with another clock is answered by the time of the checkout server',
	static function (): void {
		shop()->checkout_server = static function (): array {
			$is_first = 1 === count( shop()->requests );
			$refusal  = array( 'code' => 'tillkit_clock_differs', 'message' => 'Clocks differ.', 'data' => array( 'status' => 401, 'now' => 1700000000 ) );
			return array( 'status' => $is_first ? 401 : 200, 'body' => json_encode( $is_first ? $refusal : array( 'order' => '1042' ) ) );
		};
		assert_same( '1042', tillkit_call_about_order( 'status', order() )['order'] );
		assert_same( '1700000000', shop()->requests[1]['headers']['X-Tillkit-Time'] );
	}
);

test(
	'Everything of an answer is escaped in the order panel, in French too',
	static function (): void {
		$evil     = '<img src=x onerror=alert(1)>';
		$decision = array( 'seen' => $evil, 'accept' => true, 'accept_by_status' => true, 'missing' => array( 'text' => $evil ), 'refundable' => array( 'text' => $evil, 'currency' => $evil, 'decimal' => $evil ) );
		$payment  = array( 'payment' => $evil, 'state' => $evil, 'difference' => $evil, 'sums' => $evil, 'lost' => $evil, 'transaction' => $evil, 'operators_url' => "javascript:$evil", 'amount' => array( 'text' => $evil ), 'decision' => $decision, 'seen' => $evil );
		$refund   = array( 'payment' => $evil, 'doubt' => $evil, 'refund_key' => $evil, 'refund' => $evil, 'state' => $evil, 'amount' => array( 'text' => $evil ) );
		foreach ( array( 'en', 'fr' ) as $language ) {
			shop()->language = $language;
			$html            = tillkit_order_timeline_html( array( 'headline' => $evil, 'payments' => array( $payment ), 'refunds' => array( $refund ), 'timeline' => array( array( 'at' => 1, 'actor' => $evil, 'text' => $evil ) ) ) );
			assert_not_contains( '<img', $html );
			assert_not_contains( 'javascript:', $html );
			assert_contains( 'fr' === $language ? 'Remboursements' : 'Refunds', $html );
		}
	}
);

test(
	'The checks of the shop say what to mend, and an amount that the service receives is shown',
	static function (): void {
		$answer = array( 'time' => 1764000400, 'environment' => 'live', 'currencies' => array( 'EUR' ), 'decimals' => array( 'XOF' => 0 ), 'amount' => array( 'ok' => true, 'wire_amount' => 5000, 'shown' => array( 'text' => '5 000 F CFA' ) ) );
		$texts  = array_column( tillkit_health_results( $answer, order(), 1764000000 ), 'text' );
		assert_contains( 'differ by 400 seconds', $texts[0] );
		assert_contains( 'does not accept XOF', $texts[5] );
		assert_contains( 'Order B-1042: the total is 5,000 F CFA, and the payment service receives the number 5000', $texts[7] );
	}
);
