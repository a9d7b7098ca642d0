<?php
/** What the owner sees and does: the box on the order page, refunds, the list, the settings and the checks. */

function work_as( int $employee ): void {
	start_request();
	Context::getContext()->employee = (object) array( 'id' => $employee );
}

/** A paid order on which the shop has made credit slips. */
function paid_order_with_slips(): Tillkit_Prestashop_Order {
	$order = place_order();
	mark_paid();
	Db::getInstance()->execute( 'INSERT INTO ps_order_slip VALUES (1, 1500.4, 0), (1, 0, 500)' );
	work_as( 7 );
	return tillkit_fresh_order( (int) $order->id() );
}

test(
	'The refund of the panel begins with what the credit slips promise, and moves the money once however often it is asked',
	static function (): void {
		$order = paid_order_with_slips();
		assert_contains( 'data-tillkit-field="amount" value="2000"', tillkit_order_panel_box( 1 ) );
		Web::$checkout_server = static function ( string $purpose, array $body ): array {
			return array( 503, array( 'code' => 'tillkit_unavailable', 'message' => 'Not now.' ) );
		};
		$failed = tillkit_refund_from_panel( $order->id(), '2 000' );
		assert_contains( 'the money is not refunded twice', $failed->message );
		assert_same( array(), tillkit_refunds( $order ), 'a refund that is not known to be made is not shown;' );
		Web::$checkout_server = static function ( string $purpose, array $body ): array {
			return array( 200, array( 'refund_key' => $body['refund_key'], 'refund' => 'rf_01', 'state' => 'completed', 'amount' => array( 'text' => '2 000 F CFA' ) ) );
		};
		assert_contains( 'An earlier refund of 2 000 F CFA is not confirmed.', tillkit_refund_from_panel( $order->id(), '1500' )->message );
		assert_same( true, tillkit_refund_from_panel( $order->id(), '2000,00' ) );
		list( $first, $second ) = array_column( Web::$requests, 'body' );
		assert_same( array( $first['refund_key'], 'payment-a', array(), 'https://shop.example' ), array( $second['refund_key'], $second['payment'], $second['shown']['refunds'], $second['site'] ) );
		assert_same( array( 'rf_01' ), array_column( tillkit_refunds( $order ), 'refund' ) );
		assert_contains( 'data-tillkit-field="amount" value=""', tillkit_order_panel_box( 1 ) );
		assert_contains( 'Tillkit refunded 2 000 F CFA.', implode( ' ', array_column( tillkit_notes( 1 ), 'text' ) ) );
		assert_same( 'already', outcome_of( call_about_order( 'record-refund', array( 'payment' => 'payment-a', 'refund' => 'rf_01', 'refund_key' => $first['refund_key'], 'amount' => '2000', 'currency' => 'XOF', 'reason' => 'r' ) ) ) );
		call_about_order( 'record-refund', array( 'payment' => 'payment-a', 'refund' => 'rf_02', 'refund_key' => 'refund:2', 'amount' => '3000', 'currency' => 'XOF', 'reason' => 'asked' ) );
		assert_not_contains( 'send-refund', tillkit_order_panel_box( 1 ), 'nothing is left to refund;' );
	}
);

test(
	'A refused refund leaves nothing on the order, and an amount that can be read in two ways is not sent',
	static function (): void {
		$order = paid_order_with_slips();
		checkout_server_answers( array( 'refund' => array( 409, array( 'code' => 'tillkit_refund_refused', 'message' => 'At most 5 000 F CFA.' ) ) ) );
		assert_same( 'At most 5 000 F CFA.', tillkit_refund_from_panel( $order->id(), '9000' )->message );
		assert_same( array( array(), null ), array( tillkit_refunds( $order ), tillkit_unconfirmed_refund( tillkit_fresh_order( 1 ) ) ) );
		assert_true( tillkit_refund_from_panel( $order->id(), '1,500' ) instanceof Tillkit_Error, 'refused;' );
		assert_same( 1, count( Web::$requests ) );
	}
);

test(
	'The box carries a decision to the checkout server with what the owner saw, and the mark follows the answer',
	static function (): void {
		place_order();
		call_about_order( 'decision', array( 'reasons' => array( 'held' ) ) );
		work_as( 7 );
		assert_contains( 'A payment arrived that does not match the order', tillkit_order_panel_box( 1 ) );
		checkout_server_answers( array( 'decide' => array( 200, array( 'reasons' => array(), 'payments' => array() ) ) ) );
		$_POST = array( 'payment' => 'payment-b', 'seen' => 'seen-1' );
		assert_same( true, tillkit_answer_panel( '1', 'accept' )['reload'] );
		$sent = Web::$requests[0]['body'];
		assert_same( array( 'accept', 'payment-b', 'seen-1', 'employee #7' ), array( $sent['decision'], $sent['payment'], $sent['seen'], $sent['by'] ) );
		assert_same( array(), tillkit_decision_reasons( tillkit_fresh_order( 1 ) ) );
	}
);

test(
	'A person who may only look can neither refund nor change the connection, and without a token nobody sees anything',
	static function (): void {
		place_order();
		mark_paid();
		$post = static function ( array $fields, int $employee, string $token = 't0ken' ): array {
			return Served_Shop::request( 'POST', "/admin123/index.php?controller=AdminTillkit&token=$token", http_build_query( $fields ), array( 'Content-Type: application/x-www-form-urlencoded', "X-Employee: $employee" ) );
		};
		$looks = $post( array( 'action' => 'order', 'order' => '1', 'purpose' => 'send-refund', 'amount' => '100' ), 8 );
		assert_same( 200, $looks['status'] );
		assert_same( array(), tillkit_refunds( tillkit_fresh_order( 1 ) ) );
		assert_not_contains( 'refund is not confirmed', $looks['body'] );
		assert_not_contains( 'html', $post( array( 'action' => 'copy' ), 8 )['body'] );
		assert_same( array( LINK_SECRET ), tillkit_link_secrets() );
		assert_same( 'Invalid token', $post( array( 'action' => 'order', 'order' => '1' ), 7, 'other' )['body'] );
	}
);

test(
	'The page that connects the shop sends the code in the body of a form, and remembers where the owner came from',
	static function (): void {
		$page = Served_Shop::request( 'GET', '/admin123/index.php?controller=AdminTillkit&token=t0ken&action=pair', '', array( 'X-Employee: 7' ) )['body'];
		assert_contains( 'action="https://pay.example/bridge/v1/pair"', $page );
		assert_true( 1 === preg_match( '/name="code" value="[0-9a-f]{64}"/', $page ), 'the code;' );
		assert_contains( 'admin123', (string) tillkit_host()->load( 'settings_url' ) );
	}
);

test(
	'Before a shop disconnects its owner is told to export, and afterwards whether payments are still being finished',
	static function (): void {
		$page = Served_Shop::request( 'GET', '/admin123/index.php?controller=AdminTillkit&token=t0ken&action=disconnect', '', array( 'X-Employee: 7' ) )['body'];
		assert_contains( 'Download your payments first', $page );
		assert_contains( 'finishes those in progress', tillkit_connection_text( 'leaving' ) );
		assert_contains( 'The shop is disconnected.', tillkit_connection_text( 'left' ) );
	}
);

test(
	'The list marks every order of a cart whose money waits, and filters by it',
	static function (): void {
		$definition = new class() {
			public $columns = array();
			public $filters = array();
			public function getColumns() {
				return $this;
			}
			public function getFilters() {
				return $this;
			}
			public function addAfter( string $id, $column ): void {
				$this->columns[ $id ] = $column;
			}
			public function add( $filter ): void {
				$this->filters[] = $filter;
			}
		};
		tillkit_add_decision_column( $definition );
		assert_same( array( 'Tillkit payment', array( 'field' => 'tillkit' ) ), array( $definition->columns['osname']->set['Name'], $definition->columns['osname']->set['Options'] ) );
		assert_same( 'tillkit', $definition->filters[0]->set['AssociatedColumn'] );
		place_order( array( '3000.000000', '2000.000000' ) );
		call_about_order( 'decision', array( 'reasons' => array( 'held' ) ) );
		$query = static function (): object {
			return new class() {
				public $joins  = '';
				public $where  = '1';
				public $select = 'o.id_order';
				public function leftJoin( string $from, string $table, string $alias, string $on ): void {
					$this->joins .= " LEFT JOIN $table $alias ON $on";
				}
				public function andWhere( string $sql ): void {
					$this->where .= " AND $sql";
				}
				public function addSelect( string $sql ): void {
					$this->select .= ", $sql";
				}
				public function setParameter( string $name, string $value ): void {
					$this->select = str_replace( ":$name", "'$value'", $this->select );
				}
				public function rows(): array {
					return rows( "SELECT {$this->select} FROM ps_orders o{$this->joins} WHERE {$this->where} ORDER BY 1" );
				}
			};
		};
		Db::getInstance()->execute( "INSERT INTO ps_orders (id_order, reference, id_cart) VALUES (9, 'A', 9)" );
		list( $all, $count_of_all, $few, $count_of_few ) = array( $query(), $query(), $query(), $query() );
		tillkit_query_decisions( $all, $count_of_all, array() );
		tillkit_query_decisions( $few, $count_of_few, array( 'tillkit' => 'decide' ) );
		assert_same( array( 'Your decision', 'Your decision', '' ), array_column( $all->rows(), 'tillkit' ) );
		assert_same( array( 2, 2, 3 ), array( count( $few->rows() ), count( $count_of_few->rows() ), count( $count_of_all->rows() ) ) );
	}
);

test(
	'The settings are saved where they are valid, never show the secret, and are those of one shop',
	static function (): void {
		work_as( 7 );
		$_POST = array( 'tillkit_save' => '1', 'checkout_server' => 'http://pay.example', 'store' => 'new-store', 'dashboard' => 'https://d.example/<b>/{transaction}', 'enabled' => '1' );
		$page  = module()->getContent();
		assert_contains( 'must begin with https://', $page );
		assert_contains( 'must begin with https:// and contain {transaction}', $page );
		assert_same( array( 'https://pay.example', 'new-store', '', true, false ), array_values( array_intersect_key( tillkit_host()->settings(), array_flip( array( 'checkout_server', 'store', 'dashboard', 'enabled', 'test' ) ) ) ) );
		assert_not_contains( LINK_SECRET, $page );
		$_POST = array( 'tillkit_save' => '1', 'checkout_server' => 'https://pay.example/a&b', 'store' => 'new-store', 'link_secret' => str_repeat( 'x', 40 ) );
		module()->getContent();
		assert_same( array( array( str_repeat( 'x', 40 ), LINK_SECRET ), 'https://pay.example/a&b' ), array( tillkit_link_secrets(), tillkit_host()->settings()['checkout_server'] ) );
		Shop::$is_multistore = true;
		Shop::$kind          = Shop::CONTEXT_ALL;
		assert_contains( 'Choose one shop', module()->getContent() );
		Shop::$is_multistore = false;
		Shop::$kind          = Shop::CONTEXT_SHOP;
	}
);

test(
	'The checks name a currency, a carrier or a country that was added after the module, decimals that cannot be paid, and maintenance',
	static function (): void {
		work_as( 7 );
		$failed = static function (): string {
			$texts = array();
			foreach ( tillkit_doctor_results() as $result ) {
				$texts[] = $result['ok'] ? '' : "{$result['about']}: {$result['text']}";
			}
			return implode( "\n", array_filter( $texts ) );
		};
		foreach ( array( 'currency VALUES (5, 1, 1), (5, 1, 2)', 'country VALUES (5, 1, 1)', 'carrier VALUES (5, 1, 1)' ) as $rows ) {
			Db::getInstance()->execute( "INSERT INTO ps_module_$rows" );
		}
		assert_same( '', $failed() );
		Db::getInstance()->execute( "INSERT INTO ps_carrier VALUES (2, 'Express', 1, 0)" );
		Db::getInstance()->execute( "INSERT INTO ps_currency VALUES (3, 'USD', 3, 1, 0)" );
		Configuration::updateValue( 'PS_SHOP_ENABLE', '0' );
		assert_contains( 'Carriers: The payment method is not allowed for Express.', $failed() );
		assert_contains( 'Currencies: The payment method is not allowed for USD.', $failed() );
		assert_contains( 'Set the decimals of USD to 2', $failed() );
		assert_contains( 'Maintenance: The shop is in maintenance', $failed() );
		Configuration::updateValue( 'PS_REWRITING_SETTINGS', '1' );
		$_SERVER['SERVER_SOFTWARE'] = 'Apache/2.4';
		// Each says what to do.
		$advice = array(
			'en' => array( 'Tick it under Payment, Preferences.', 'under International, Localization, Currencies', 'Open it under Shop Parameters, General, Maintenance.', 'Save Shop Parameters, Traffic & SEO once.' ),
			'fr' => array( 'Cochez-le sous Paiement, Préférences.', 'sous International, Localisation, Devises', 'Ouvrez-la sous Paramètres de la boutique, Paramètres généraux, Maintenance.', 'Enregistrez une fois Paramètres de la boutique, Trafic et SEO.' ),
		);
		foreach ( $advice as $language => $sentences ) {
			speak( $language );
			foreach ( $sentences as $sentence ) {
				assert_contains( $sentence, $failed() );
			}
		}
		speak( 'en' );
		unset( $_SERVER['SERVER_SOFTWARE'] );
		assert_not_contains( 'Countries', $failed() );
		Db::$version = '5.6.51-log';
		assert_contains( 'Update MySQL to 5.7.5', $failed() );
		Db::$version = '8.0.36';
		assert_not_contains( 'MySQL', $failed() );
		Db::$version = '10.11.6-MariaDB';
	}
);

test(
	'A module that is installed again keeps its states and what paid the orders, and forgets its secret',
	static function (): void {
		place_order();
		mark_paid();
		$states = array( tillkit_state( 'waiting' ), tillkit_state( 'review' ) );
		module()->uninstall();
		assert_same( array( array(), array() ), array( tillkit_link_secrets(), rows( 'SELECT * FROM ps_tab' ) ) );
		module()->install();
		assert_same( $states, array( tillkit_state( 'waiting' ), tillkit_state( 'review' ) ) );
		assert_same( array( 'payment-a', 1 ), array( tillkit_paid_by( tillkit_fresh_order( 1 ) ), count( rows( 'SELECT * FROM ps_tab' ) ) ) );
		assert_same( 'En attente du paiement (Tillkit)', rows( 'SELECT name FROM ps_order_state_lang WHERE id_lang = 2 ORDER BY id_order_state' )[0]['name'] );
	}
);

test(
	'The settings of a shop that looks like a copy ask first what it is, and no longer once its owner has said so',
	static function (): void {
		work_as( 7 );
		tillkit_host()->save( 'copy_of', 'shop.example' );
		$page = tillkit_settings_page_html();
		assert_true( strpos( $page, 'looks like a copy of shop.example' ) < strpos( $page, 'Connect again' ), 'the question stands first;' );
		assert_true( strpos( $page, 'data-action="moved"' ) < strpos( $page, 'Connect again' ), 'with its answers;' );
		tillkit_host()->save( 'copy_of', null );
		assert_not_contains( 'data-action="moved"', tillkit_settings_page_html() );
	}
);

test(
	'An order whose refund failed after the shop had shown it is marked in the list until its owner has taken care of it',
	static function (): void {
		$order = place_order();
		$note  = array( 'marker' => '[tillkit note 0123456789ab]', 'text' => 'The refund of 2 000 F CFA failed.', 'attention' => 'refund_failed' );
		assert_same( 'recorded', outcome_of( call_about_order( 'note', $note ) ) );
		call_about_order( 'decision', array( 'reasons' => array() ) );
		assert_same( 'refund_failed', rows( 'SELECT decision FROM ps_tillkit_order' )[0]['decision'] );
		Context::getContext()->employee = (object) array( 'id' => 7 );
		assert_contains( 'has failed', tillkit_order_panel_box( 1 ) );
		assert_same( true, tillkit_answer_panel( '1', 'done' )['reload'] );
		assert_same( 'already', outcome_of( call_about_order( 'note', $note ) ) );
		assert_same( '', rows( 'SELECT decision FROM ps_tillkit_order' )[0]['decision'] );
		assert_not_contains( 'has failed', tillkit_order_panel_box( 1 ) );
	}
);
