<?php
/** The signed calls of the checkout server about orders, beside mark-paid and hold. */

test(
	'The checkout server reads an order with its sum, its customer and where the shopper comes back, and nothing with another key',
	static function (): void {
		$order = place_order( array( '3000.000000', '2000.000000' ) );
		tillkit_start_payment( $order, time() );
		$answer = call_about_order( 'read-order' );
		assert_same( array_keys( json_decode( file_get_contents( __DIR__ . '/../../../php-bridge/vectors/answers.json' ), true )['read-order']['order'] ), array_keys( $answer['order'] ) );
		$read = $answer['order'];
		assert_same( array( 'waiting', true, false, true, null, null, '2 × Coffee, 2 × Coffee', 'Boutique' ), array( $read['status'], $read['payable'], $read['closed'], $read['ours'], $read['paid_by'], $read['marked_by'], $read['items'], $read['title'] ) );
		assert_true( tillkit_is_same_amount( $read['total'], '5000' ), 'the sum of both orders;' );
		assert_same( array( 'name' => 'Awa Diop', 'email' => 'awa@example.com', 'phone' => '+221771234567' ), $read['customer'] );
		assert_same( tillkit_sign( array( 'tillkit v1 return', 'boutique', $read['order'], $read['return_url'], $read['retry_url'] ), LINK_SECRET ), $read['urls_signature'] );
		assert_same( 'read', call_about_order( 'read-order', array( 'key' => '' ) )['outcome'], 'the sweep knows no key;' );
		tillkit_store_refund_row( $order, 'key-of-a-click', '', '100' );
		assert_same( 'key-of-a-click', call_about_order( 'read-order' )['order']['refunds'][0]['refund'], 'the service has not named it yet;' );
		assert_same( array( 'outcome' => 'gone' ), call_about_order( 'read-order', array( 'key' => 'of-a-copy' ) ) );
		assert_same( array( 'outcome' => 'gone' ), call_shop( 'read-order', array( 'order' => '99', 'key' => '' ) ) );
	}
);

test(
	'A phone number gets the code of its country where it is known',
	static function (): void {
		$numbers = array(
			array( '77 123 45 67', 'SN', '221', '+221771234567' ),
			array( '221771234567', 'SN', '221', '+221771234567' ),
			array( '07 08 09 10 11', 'CI', '225', '+2250708091011' ),
			array( '0033 6 12 34 56 78', 'FR', '33', '+33612345678' ),
			array( '+33 6 12', 'FR', '33', '+33612' ),
			array( '06 12 34 56 78', 'FR', '33', null ),
			array( '', 'SN', '221', null ),
		);
		foreach ( $numbers as list( $typed, $country, $prefix, $expected ) ) {
			assert_same( $expected, tillkit_international_phone( $typed, $country, $prefix ), $typed );
		}
	}
);

test(
	'An order that its owner set to paid says who did it, and a cancelled one is closed',
	static function (): void {
		place_order();
		owner_sets( 2 );
		$read = call_about_order( 'read-order' )['order'];
		assert_same( array( 'owner', 'employee #7', false ), array( $read['paid_by'], $read['marked_by']['by'], $read['payable'] ) );
		owner_sets( 6 );
		$read = call_about_order( 'read-order' )['order'];
		assert_same( array( 'cancelled', true, false ), array( $read['status'], $read['closed'], $read['payable'] ) );
	}
);

test(
	'Orders that changed are listed by pages of a hundred, without those of another shop and of other modules',
	static function (): void {
		$id = (int) place_order()->id();
		for ( $copy = 1; $copy <= 101; ++$copy ) {
			$other = $id + $copy;
			Db::getInstance()->execute( "INSERT INTO ps_orders (id_order, reference, id_cart, id_customer, id_shop, id_currency, current_state, module, total_paid, total_paid_real, date_upd) SELECT $other, 'R$other', $other, 7, 1, 1, current_state, module, 100, 0, date_upd FROM ps_orders WHERE id_order = $id" );
			tillkit_add_order_row( $other, $other );
		}
		Db::getInstance()->execute( 'UPDATE ps_orders SET id_shop = 2 WHERE id_order = ' . ( $id + 1 ) );
		$first = call_shop( 'list-orders', array( 'since' => time() - 60, 'after' => null ) );
		assert_same( array( 100, (string) ( $id + 100 ), 'waiting' ), array( count( $first['orders'] ), $first['next'], $first['orders'][0]['status'] ) );
		assert_same( array_keys( json_decode( file_get_contents( __DIR__ . '/../../../php-bridge/vectors/answers.json' ), true )['list-orders']['orders'][0] ), array_keys( $first['orders'][0] ) );
		$second = call_shop( 'list-orders', array( 'since' => time() - 60, 'after' => $first['next'] ) );
		assert_same( array( array( (string) ( $id + 101 ) ), null ), array( array_column( $second['orders'], 'order' ), $second['next'] ) );
		assert_same( array(), call_shop( 'list-orders', array( 'since' => time() + 60 ) )['orders'] );
	}
);

test(
	'An abandoned order is cancelled once, gives back stock and voucher, and tells its customer nothing; a paid one stays',
	static function (): void {
		Db::getInstance()->execute( 'INSERT INTO ps_cart_rule VALUES (4, 1, 1, 1)' );
		place_order( array( '5000.000000' ), 4 );
		assert_same( array( 9, 0, 0 ), array( (int) rows( 'SELECT quantity FROM ps_stock' )[0]['quantity'], (int) rows( 'SELECT quantity FROM ps_cart_rule WHERE id_cart_rule = 4' )[0]['quantity'], (int) rows( 'SELECT active FROM ps_cart_rule WHERE id_cart_rule = 5' )[0]['active'] ), 'the rest of the voucher is not valid before the payment;' );
		assert_same( array( 'closed', 'cancelled' ), array_slice( array_values( array_diff_key( call_about_order( 'close-order' ), array( 'order' => true ) ) ), 0, 2 ) );
		assert_same( 'unchanged', outcome_of( call_about_order( 'close-order' ) ) );
		assert_same( array( 10, 1, 0, 0 ), array( (int) rows( 'SELECT quantity FROM ps_stock' )[0]['quantity'], (int) rows( 'SELECT quantity FROM ps_cart_rule WHERE id_cart_rule = 4' )[0]['quantity'], (int) rows( 'SELECT active FROM ps_cart_rule WHERE id_cart_rule = 5' )[0]['active'], count( rows( 'SELECT * FROM ps_order_cart_rule WHERE deleted = 0' ) ) ) );
		assert_same( array(), sent_mails() );
		assert_same( 'not-payable', outcome_of( mark_paid() ) );
		close_shop();
		open_shop();
		Db::getInstance()->execute( 'INSERT INTO ps_cart_rule VALUES (4, 1, 1, 1)' );
		place_order( array( '5000.000000' ), 4 );
		mark_paid();
		assert_same( 'unchanged', outcome_of( call_about_order( 'close-order' ) ) );
		assert_same( array( 2, 1 ), array( state_of_order(), (int) rows( 'SELECT active FROM ps_cart_rule WHERE id_cart_rule = 5' )[0]['active'] ) );
	}
);

test(
	'A held order is not closed',
	static function (): void {
		place_order();
		assert_same( 'held', outcome_of( call_about_order( 'hold' ) ) );
		assert_same( 'unchanged', outcome_of( call_about_order( 'close-order' ) ) );
	}
);

test(
	'A note is added once for each marker, and stands in the box on the order page',
	static function (): void {
		$order = place_order();
		$note  = array( 'marker' => '[tillkit note 0123456789ab]', 'text' => '5 000 F CFA were <b>paid</b> twice.' );
		assert_same( array( 'recorded', 'already' ), array( outcome_of( call_about_order( 'note', $note ) ), outcome_of( call_about_order( 'note', $note ) ) ) );
		assert_same( array( $note['text'] ), array_column( tillkit_notes( (int) $order->id() ), 'text' ) );
		Context::getContext()->employee = (object) array( 'id' => 7 );
		assert_contains( 'were &lt;b&gt;paid&lt;/b&gt; twice.', tillkit_order_panel_box( (int) $order->id() ) );
	}
);

test(
	'A refund of the service is recorded once, also beyond the total of the order, and not on an order that shows another payment',
	static function (): void {
		place_order();
		$refund = array( 'payment' => 'payment-a', 'refund' => 'rf_01', 'refund_key' => 'tillkit:1', 'amount' => '1500.00', 'currency' => 'XOF', 'reason' => 'Refunded at the payment service' );
		assert_same( 'tillkit_payment_not_shown', outcome_of( call_about_order( 'record-refund', $refund ) ) );
		mark_paid();
		assert_same( array( 'recorded', 'already' ), array( outcome_of( call_about_order( 'record-refund', $refund ) ), outcome_of( call_about_order( 'record-refund', $refund ) ) ) );
		assert_same( 'already', outcome_of( call_about_order( 'record-refund', array( 'refund' => 'rf_99', 'refund_key' => 'rf_01' ) + $refund ) ) );
		assert_same( 'refused', outcome_of( call_about_order( 'record-refund', array( 'refund' => 'rf_02', 'refund_key' => 'tillkit:2', 'currency' => 'EUR' ) + $refund ) ) );
		assert_same( 'recorded', outcome_of( call_about_order( 'record-refund', array( 'refund' => 'rf_02', 'refund_key' => 'tillkit:2', 'amount' => '4500' ) + $refund ) ) );
		$shown = array_column( call_about_order( 'read-order' )['order']['refunds'], 'refund' );
		sort( $shown );
		assert_same( array( 'rf_01', 'rf_02' ), $shown );
	}
);

test(
	'The owner gets one e-mail in their own language for each new reason, without personal data',
	static function (): void {
		place_order();
		call_about_order( 'decision', array( 'reasons' => array( 'held' ) ) );
		call_about_order( 'decision', array( 'reasons' => array( 'held' ) ) );
		$mails = rows( 'SELECT * FROM mailbox' );
		assert_same( array( 1, 'tillkit_decision', 'owner@shop.example', '2' ), array( count( $mails ), $mails[0]['template'], $mails[0]['recipient'], (string) $mails[0]['language'] ) );
		assert_contains( 'un paiement attend votre décision', $mails[0]['subject'] );
		assert_contains( 'ne correspond pas', $mails[0]['vars'] );
		assert_not_contains( 'awa', $mails[0]['vars'] );
		assert_same( 'held', rows( 'SELECT decision FROM ps_tillkit_order' )[0]['decision'] );
		call_about_order( 'decision', array( 'reasons' => array() ) );
		assert_same( '', rows( 'SELECT decision FROM ps_tillkit_order' )[0]['decision'] );
	}
);

test(
	'Facts that two requests write at the same time are both kept',
	static function (): void {
		$one   = place_order();
		$other = tillkit_fresh_order( (int) $one->id() );
		$one->write_facts( array( 'language' => 'fr' ) );
		$other->write_facts( array( 'set_paid' => '{}' ) );
		$fresh = tillkit_fresh_order( (int) $one->id() );
		assert_same( array( 'fr', '{}' ), array( $fresh->fact( 'language' ), $fresh->fact( 'set_paid' ) ) );
	}
);

test(
	'Each shop of a multistore has its own secret, and answers about its own orders only',
	static function (): void {
		place_order();
		Context::getContext()->shop->id = 2;
		assert_same( 'tillkit_signature_invalid', call_about_order( 'hold' )->code );
		tillkit_host()->change_settings( array( 'store' => 'boutique' ) );
		tillkit_save_link_secrets( strrev( LINK_SECRET ), '' );
		$body = array( 'order' => '1', 'key' => tillkit_fresh_order( 1 )->key() );
		assert_same( 'gone', outcome_of( call_shop( 'hold', $body, strrev( LINK_SECRET ) ) ) );
		// The owner looks at all shops, and the page of the order uses the connection of its shop.
		Context::getContext()->employee = (object) array( 'id' => 7 );
		tillkit_order_panel_box( 1 );
		assert_same( array( LINK_SECRET ), tillkit_link_secrets() );
		assert_same( 'https://shop.example', tillkit_host()->site_address() );
	}
);
